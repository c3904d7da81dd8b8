package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Read parses the checkout whose top folder is root. It asks git for the files, so that build output and other people's
// clutter are left out, and go for the types of what rules import.
func Read(root string) (*Tree, error) {
	listed, err := output(root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for name := range strings.SplitSeq(string(listed), "\x00") {
		full := filepath.Join(root, filepath.FromSlash(name))
		info, err := os.Lstat(full)
		if name == "" || errors.Is(err, os.ErrNotExist) {
			continue // a deletion that is not committed yet
		}
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			continue
		}
		if files[name], err = os.ReadFile(full); err != nil {
			return nil, err
		}
	}
	if err := watchFolders(root, files); err != nil {
		return nil, err
	}
	imports, err := compiled(root)
	if err != nil {
		return nil, err
	}
	return Parse(files, imports)
}

// watchFolders reads each folder of the tree. go test repeats a remembered result until something that the test itself
// opened has changed; it sees nothing of what git opens, and a new file must not go unseen.
func watchFolders(root string, files map[string][]byte) error {
	seen := map[string]bool{}
	for name := range files {
		for dir := path.Dir(name); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if _, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir))); err != nil {
				return err
			}
		}
	}
	return nil
}

// compiled imports what the compiler wrote about the packages that rules, and packages with floors, import.
func compiled(root string) (types.Importer, error) {
	argv := []string{"go", "list", "-deps", "-export", "-json=ImportPath,Export", "./rules/..."}
	for _, p := range slices.Sorted(maps.Keys(floors)) {
		argv = append(argv, "./"+p)
	}
	listed, err := output(root, argv...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(listed)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(importPath string) (io.ReadCloser, error) {
		name := exports[importPath]
		if name == "" {
			return nil, fmt.Errorf("go list knows no compiled %s", importPath)
		}
		return os.Open(name)
	}), nil
}

func output(dir string, argv ...string) ([]byte, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	var out, fault bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(argv, " "), err, fault.Bytes())
	}
	return out.Bytes(), nil
}
