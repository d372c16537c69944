// Command bench measures the engine against loops written by hand for the same job, in turns in
// the same run, and prints the ratio of the two: the machine's mood cancels out. Every ratio is
// better when higher, and every pair must give the same answer, or the program panics.
//
//	go run . [-only P1a] [-runs 5] [-cpuprofile file]
//
// It is a module of its own, so that what it compares with never reaches the library. A file a
// benchmark; race.go takes the times, RESULTS.md keeps the last table.
package main
