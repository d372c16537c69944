// Package tree knows what lies in the repository: its modules and its files, without what
// tools put there.
//
// Layer: the project's own tools; nothing that is shipped imports it. It reads names and
// go.mod files and knows nothing of what the packages mean.
package tree
