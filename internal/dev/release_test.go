package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestReleaseRefuses: a release is made of a commit, under a version, into a new folder.
func TestReleaseRefuses(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	commit(t, c, "first")
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "old.tar.gz"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, one := range map[string]struct {
		args []string
		want string
	}{
		"no version":          {nil, "name the version"},
		"no such version":     {[]string{"v1"}, "name the version"},
		"a strange platform":  {[]string{"-only", "plan9/386", "0.1.0"}, "plan9/386 is not one of linux/amd64"},
		"a folder with files": {[]string{"-o", full, "0.1.0"}, "is not empty"},
	} {
		if err := release(t.Context(), c, one.args); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	write(t, c, "new", "")
	if err := release(t.Context(), c, []string{"-o", t.TempDir(), "0.1.0"}); err == nil ||
		!strings.Contains(err.Error(), "commit first") {
		t.Errorf("with a file that is not committed: %v", err)
	}
}

// TestArchive: programs can be run once unpacked, and the same files give the same bytes.
func TestArchive(t *testing.T) {
	t.Parallel()
	folder, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"LICENSE", "README.md", "warledger"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	want := map[string]string{"w/LICENSE": "-rw-r--r--", "w/README.md": "-rw-r--r--", "w/warledger": "-rwxr-xr-x"}
	for name, kind := range map[string]struct {
		pack func(io.Writer, []member, time.Time) error
		list func([]byte) (map[string]string, error)
	}{"w.tar.gz": {tarred, listTar}, "w.zip": {zipped, listZip}} {
		var first []byte
		for range 2 {
			to := filepath.Join(out, name)
			if err := archive(folder, to, "w", made, kind.pack); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			if first != nil && !bytes.Equal(first, data) {
				t.Errorf("%s: other bytes the second time", name)
			}
			first = data
		}
		got, err := kind.list(first)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	if err := writeSums(out); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	if err != nil || !regexp.MustCompile(`^[0-9a-f]{64}  w\.tar\.gz\n[0-9a-f]{64}  w\.zip\n$`).Match(sums) {
		t.Errorf("%v: %q", err, sums)
	}
}

func listTar(data []byte) (map[string]string, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		names[head.Name] = head.FileInfo().Mode().String()
	}
}

func listZip(data []byte) (map[string]string, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, f := range z.File {
		names[f.Name] = f.Mode().String()
	}
	return names, nil
}

// TestSBOM: each module is listed once, a replaced one as what replaced it, and so is Go itself.
func TestSBOM(t *testing.T) {
	t.Parallel()
	protobuf := &debug.Module{Path: "google.golang.org/protobuf", Version: "v1.36.12"}
	fork := &debug.Module{Path: "example.com/bbolt", Version: "v9.9.9"}
	text, err := sbom([]*debug.BuildInfo{
		{GoVersion: "go1.26.8", Deps: []*debug.Module{protobuf}},
		{GoVersion: "go1.26.8",
			Deps: []*debug.Module{protobuf, {Path: "go.etcd.io/bbolt", Version: "v1.4.3", Replace: fork}}},
	}, "0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	type list struct {
		BOMFormat  string `json:"bomFormat"`
		Metadata   struct{ Component component }
		Components []component
	}
	var got list
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := list{BOMFormat: "CycloneDX", Components: []component{
		{"library", "example.com/bbolt", "v9.9.9", "pkg:golang/example.com/bbolt@v9.9.9"},
		{"library", "google.golang.org/protobuf", "v1.36.12", "pkg:golang/google.golang.org/protobuf@v1.36.12"},
		{"library", "std", "1.26.8", "pkg:golang/std@1.26.8"},
	}}
	want.Metadata.Component = component{"application", "warledger", "0.1.0",
		"pkg:golang/github.com/warledger/warledger@v0.1.0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLinked reads what a real program notes of itself; what is no program is refused.
func TestLinked(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, p := range programs {
		if err := os.WriteFile(filepath.Join(folder, p), data, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	infos, err := linked(folder)
	if err != nil || len(infos) != len(programs) || infos[0].GoVersion != runtime.Version() {
		t.Errorf("%v, %v", infos, err)
	}
	if err := os.WriteFile(filepath.Join(folder, programs[1]), []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := linked(folder); err == nil {
		t.Error("a text passes for a program")
	}
}
