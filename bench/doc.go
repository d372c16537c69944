// Command bench measures the engine against loops written by hand for the same job, in the
// same run and in turns, and prints the ratio of the two: the machine's mood cancels out. A
// ratio above 1 means that the engine is faster.
//
//	go run . [-only P1a] [-runs 5]
//
// It is a module of its own, so that what it compares with never reaches the library.
package main
