package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// checkout is the absolute path of the folder that holds go.mod, buf.yaml and .git.
type checkout string

// toolsMod pins every development tool, apart from the product's own dependencies.
const toolsMod = "-modfile=internal/tools/go.mod"

func (c checkout) path(rel string) string { return filepath.Join(string(c), filepath.FromSlash(rel)) }

// tool is the command line that runs a pinned tool.
func tool(name string, args ...string) []string {
	return append([]string{"go", "tool", toolsMod, name}, args...)
}

func (c checkout) command(ctx context.Context, argv []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = string(c)
	cmd.Stderr = os.Stderr
	// Inside a git hook these name the hook's repository, also to a command that works on another one.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_DIR=") || strings.HasPrefix(kv, "GIT_WORK_TREE=") ||
			strings.HasPrefix(kv, "GIT_INDEX_FILE=")
	})
	return cmd
}

// run shows what the command prints and fails when it does.
func (c checkout) run(ctx context.Context, argv ...string) error {
	cmd := c.command(ctx, argv)
	cmd.Stdout = os.Stdout
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
	}
	return nil
}

// output is what the command prints, without the last line's end.
func (c checkout) output(ctx context.Context, argv ...string) (string, error) {
	cmd := c.command(ctx, argv)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

// files lists every file that git tracks or would track and that exists, as slash paths, sorted.
func (c checkout) files(ctx context.Context) ([]string, error) {
	out, err := c.output(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var names []string
	for name := range strings.SplitSeq(out, "\x00") {
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		info, err := os.Stat(c.path(name))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and the deletion is not committed yet
		}
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
