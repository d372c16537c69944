// Package layers holds the order of the house: which package may import which, that the pure
// packages hold decisions and nothing else, that every package says what it is for, that no
// file grows beyond reading, and that no file names a path of somebody's machine.
//
// The rules are the rows of [Table]. The package's test applies them to the whole repository,
// nested modules included, and plants a violation of every kind to prove that each is found.
//
// Layer: the project's own tools; nothing that is shipped imports it. It reads sources as
// text and syntax, and knows no types and no meaning.
package layers
