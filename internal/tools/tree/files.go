package tree

import (
	"io/fs"
	"strings"
)

// Files lists the files below root in name order, as slash-separated paths. What tools leave
// behind is not among them: hidden directories except .ci and .github, and bin, vendor and
// node_modules.
func Files(root fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && foreign(entry.Name()):
			return fs.SkipDir
		case entry.Type().IsRegular() && entry.Name() != ".git": // a file in a linked work tree
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// foreign tells whether a directory of that name holds what the project did not write.
func foreign(dir string) bool {
	switch dir {
	case ".ci", ".github":
		return false
	case "bin", "vendor", "node_modules":
		return true
	}
	return strings.HasPrefix(dir, ".")
}
