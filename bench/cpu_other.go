//go:build !unix

package main

import (
	"os"
	"time"
)

// processorTime is not known here.
func processorTime() time.Duration { return 0 }

// maxRSS is not known here.
func maxRSS(*os.ProcessState) float64 { return 0 }
