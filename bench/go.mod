module github.com/strandline-stream/strandline/bench

go 1.27

toolchain go1.27.3

require github.com/strandline-stream/strandline v0.0.0

replace github.com/strandline-stream/strandline => ../
