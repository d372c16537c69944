module github.com/strandline-stream/strandline/beam

go 1.27

toolchain go1.27.3

require (
	github.com/strandline-stream/strandline v0.0.0
	go.yaml.in/yaml/v4 v4.0.0
)

replace github.com/strandline-stream/strandline => ../
