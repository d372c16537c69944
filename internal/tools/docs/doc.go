// Package docs checks the documentation of the repository: every Go snippet compiles, runs and
// prints what the page says; every command, link, file and rule that a page names exists; and
// everything that a public package exports is used in an example.
//
// A page is a Markdown file. What its fenced blocks mean:
//
//   - "go": a program if it starts with a package clause, else a piece of one. Pieces stand in the
//     program that the nearest comment <!-- program ... --> above them gives, in the place of its
//     line "// here". Imports are worked out from the package names that are used.
//   - "text": directly behind a "go" or "sh" block, what that one prints; "text in-any-order" if
//     the order of the lines is not promised.
//   - any language with a second word, such as "jsonl readings.jsonl": a file of that name, there
//     when the programs of the page run.
//   - "sh": commands, which must be in the table in shell.go. Those of the program strandline are
//     a session: they are run in the order of the page, in a directory with the files that stand
//     above them and the directories docs and examples, and what they print on a terminal must be
//     the "text" directly below, or nothing.
//
// Layer: the project's own tools; nothing that is shipped imports it. It knows no Go package but
// by the text of its name.
package docs
