package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSameTree(t *testing.T) {
	t.Parallel()
	folder := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	fresh := folder(map[string]string{"index.html": "1", "assets/a.js": "2"})
	for name, c := range map[string]struct {
		ours map[string]string
		want string
	}{
		"equal":   {map[string]string{"index.html": "1", "assets/a.js": "2"}, ""},
		"stale":   {map[string]string{"index.html": "0", "assets/a.js": "2"}, "index.html is missing or stale"},
		"missing": {map[string]string{"index.html": "1"}, "assets/a.js is missing or stale"},
		"left": {map[string]string{"index.html": "1", "assets/a.js": "2", "assets/b.js": "3"},
			"assets/b.js is built by nothing"},
	} {
		err := sameTree(folder(c.ours), fresh)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := sameTree(folder(nil), folder(nil)); err == nil {
		t.Error("a build that made nothing passes")
	}
}
