module github.com/strandline-stream/strandline

go 1.27

toolchain go1.27.3
