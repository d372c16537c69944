// Command bench measures the engine against loops written by hand, and against other systems, on the
// same job, in turns in the same run, and prints the ratio of the two: the machine's mood cancels out.
// Every ratio is better when higher, and every pair must give the same answer, or the program panics.
//
//	go run . [-only P1a] [-runs 5] [-cpuprofile file] [-lines 10000000] [-strandline program]
//
//	P1a            windows and sums per key, against nested maps; P1a-scattered with other keys
//	P1b            the same with two workers, against one
//	P2             GroupByKey to lists, against Prism, the runner of Beam's Go SDK, in process; it is built with the tag prism, as make bench does
//	P3             the job of P1a, against Flink's DataStream API
//	P4             a pipeline in YAML over JSON lines, file to file, against DuckDB; P4c over CSV; P4p over Parquet, without a goal
//	P5             sliding windows, against windows end to end
//	P7             latency of a pane at 100,000 events a second, against 10 ms
//	P9             memory and pauses of the collector, against 32 bytes and 10 ms
//	P10            JSON lines, against encoding/json/v2
//	P11            strandline lateness with twenty settings, against three runs of the pipeline
//	P13            joins and retractions, against GroupByKey; there is no goal
//
// P3 needs a JDK of 17 or newer and Maven, which brings Flink: apt-get install default-jdk-headless
// maven. Without them it says that it was skipped. Its Java program, flink/Windows.java, stays up
// between turns and says how long the job took from the first record to the last pane, so that no
// start of a virtual machine counts; it has run the job three times before the first turn.
//
// P4 needs python3 with venv, and PyPI for DuckDB. The time of DuckDB is that of the query, without the
// start of Python; that of the program strandline is all of the process. -lines sets the size of the
// file.
//
// It is a module of its own, so that what it compares with never reaches the library. A file a
// benchmark; race.go takes the times, RESULTS.md keeps the last table.
package main
