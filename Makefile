# Strandline: "make" lists the targets. They need Go 1.21 or newer and nothing else; the Go
# release that go.mod names is downloaded if it is not there.

export GOTOOLCHAIN := auto

BUDGET  ?= 10m
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help demo lesson test prove bench lint vuln build

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 15

demo: ## run the three examples on real files and a live stream
	go run ./examples/sensors
	go run ./examples/meters
	go run ./examples/live

lesson: ## what a watermark's delay costs on the readings of 200 meters, a line a setting
	@go run ./internal/tools/lesson

test: ## vet, tests of all modules, race detector: under 15 minutes
	go run ./internal/tools/gate test

prove: ## random pipelines and fuzzing for as long as given: make prove BUDGET=10m
	go run ./internal/tools/gate prove -budget $(BUDGET)

bench: ## compare with loops by hand, Prism and Flink; one line only: make bench ONLY=P1a
	cd bench && go run -tags prism . $(if $(ONLY),-only $(ONLY))

lint: ## vet, staticcheck and the format of every file
	go run ./internal/tools/gate lint

vuln: ## known vulnerabilities of what is linked (asks vuln.go.dev)
	go run ./internal/tools/gate vuln

build: ## bin/strandline
	go build -trimpath -buildvcs=false -o bin/strandline \
		-ldflags "-X github.com/strandline-stream/strandline/internal/cli.version=$(VERSION)" ./cmd/strandline
