package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// platforms are the systems that a release is built for, and that check builds for; each by its names in Go.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

// programs are what a release holds.
var programs = []string{"warledgerd", "warledger", "warledger-discord"}

// released is a version by semver.org, without a leading v.
var released = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// release builds the archives of a version for every platform, with a list of what is in them (an SBOM) and their
// checksums. The same commit and version of Go give the same bytes on any machine.
func release(ctx context.Context, c checkout, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	out := flags.String("o", "dist", "folder for the archives; it must be new or empty")
	only := flags.String("only", "", "one platform, such as linux/amd64, in place of all")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || !released.MatchString(flags.Arg(0)) {
		return errors.New("name the version, such as 0.1.0: dev release [-o FOLDER] VERSION")
	}
	version := flags.Arg(0)
	if *only != "" && !slices.Contains(platforms, *only) {
		return fmt.Errorf("%s is not one of %s", *only, strings.Join(platforms, ", "))
	}
	if changed, err := c.output(ctx, "git", "status", "--porcelain"); err != nil || changed != "" {
		return errors.Join(err, errors.New("commit first: a release is made of a commit"))
	}
	stamp, err := c.output(ctx, "git", "log", "-1", "--format=%cI")
	if err != nil {
		return err
	}
	made, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return err
	}
	if err := emptyFolder(*out); err != nil {
		return err
	}
	for _, p := range platforms {
		if *only != "" && p != *only {
			continue
		}
		if err := releaseFor(ctx, c, p, version, *out, made.UTC()); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return writeSums(*out)
}

// emptyFolder makes a folder. It fails if there is one with something in it: old archives would get into the checksums.
func emptyFolder(name string) error {
	if err := os.MkdirAll(name, 0o755); err != nil {
		return err
	}
	list, err := os.ReadDir(name)
	if err == nil && len(list) > 0 {
		err = fmt.Errorf("%s is not empty", name)
	}
	return err
}

// build builds the programs for a platform into a folder; with no folder it keeps nothing.
func build(ctx context.Context, c checkout, platform, version, folder string) error {
	system, processor, _ := strings.Cut(platform, "/")
	argv := []string{"go", "build", "-trimpath"}
	if version != "" {
		argv = append(argv, "-buildvcs=true",
			"-ldflags=-s -w -X github.com/warledger/warledger/cmd/internal/build.number="+version)
	}
	if folder != "" {
		argv = append(argv, "-o", folder+string(filepath.Separator))
	} else { // nothing runs, so our own code need not be fast: this saves a third of the time
		argv = append(argv, "-gcflags=github.com/warledger/warledger/...=-N -l -dwarf=false")
	}
	for _, p := range programs {
		argv = append(argv, "./cmd/"+p)
	}
	cmd := c.command(ctx, argv)
	cmd.Env = append(cmd.Env, "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	cmd.Stdout = os.Stdout
	return cmd.Run()
}

func releaseFor(ctx context.Context, c checkout, platform, version, out string, made time.Time) error {
	folder, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := build(ctx, c, platform, version, folder); err != nil {
		return err
	}
	name := fmt.Sprintf("warledger-%s-%s", version, strings.ReplaceAll(platform, "/", "-"))
	infos, err := linked(folder)
	if err != nil {
		return err
	}
	list, err := sbom(infos, version)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, name+".cdx.json"), list, 0o644); err != nil {
		return err
	}
	for _, text := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(c.path(text))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, text), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	if strings.HasPrefix(platform, "windows/") {
		return archive(folder, filepath.Join(out, name+".zip"), name, made, zipped)
	}
	return archive(folder, filepath.Join(out, name+".tar.gz"), name, made, tarred)
}

// member is a file of an archive.
type member struct {
	name string
	mode fs.FileMode
	data []byte
}

// archive packs the files of a folder, all under one name, as old as the commit.
func archive(folder, to, under string, made time.Time, pack func(io.Writer, []member, time.Time) error) error {
	list, err := os.ReadDir(folder) // sorted
	if err != nil {
		return err
	}
	var members []member
	for _, f := range list {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o755)
		if strings.Contains(f.Name(), ".md") || f.Name() == "LICENSE" {
			mode = 0o644
		}
		members = append(members, member{under + "/" + f.Name(), mode, data})
	}
	var b bytes.Buffer
	if err := pack(&b, members, made); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}

func tarred(w io.Writer, members []member, made time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, m := range members {
		head := &tar.Header{Name: m.name, Mode: int64(m.mode), Size: int64(len(m.data)), ModTime: made,
			Format: tar.FormatPAX}
		if err := t.WriteHeader(head); err != nil {
			return err
		}
		if _, err := t.Write(m.data); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

func zipped(w io.Writer, members []member, made time.Time) error {
	z := zip.NewWriter(w)
	for _, m := range members {
		head := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: made}
		head.SetMode(m.mode)
		f, err := z.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := f.Write(m.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// component is a part of an SBOM.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

// linked reads from each program in a folder what it is linked from.
func linked(folder string) ([]*debug.BuildInfo, error) {
	var all []*debug.BuildInfo
	for _, p := range programs {
		file := filepath.Join(folder, p)
		info, err := buildinfo.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			info, err = buildinfo.ReadFile(file + ".exe")
		}
		if err != nil {
			return nil, err
		}
		all = append(all, info)
	}
	return all, nil
}

// sbom lists the modules that programs are linked from, as CycloneDX 1.5.
func sbom(linked []*debug.BuildInfo, version string) ([]byte, error) {
	seen := map[component]bool{}
	for _, info := range linked {
		goVersion := strings.TrimPrefix(info.GoVersion, "go")
		seen[component{"library", "std", goVersion, "pkg:golang/std@" + goVersion}] = true
		for _, m := range info.Deps {
			seen[moduleOf(m)] = true
		}
	}
	parts := slices.SortedFunc(maps.Keys(seen), func(a, b component) int { return strings.Compare(a.PURL, b.PURL) })
	return json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{"component": component{
			"application", "warledger", version, "pkg:golang/github.com/warledger/warledger@v" + version,
		}},
		"components": parts,
	}, "", "  ")
}

func moduleOf(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	return component{"library", m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version}
}

// writeSums writes the checksums of a folder's files in the form that sha256sum -c reads.
func writeSums(folder string) error {
	list, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range list {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), f.Name())
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(b.String()), 0o644)
}
