package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// breakTrailer in a commit's message says that the commit breaks the contract on purpose, and why.
const breakTrailer = "Contract-Break"

// checkContract holds the protos against their last agreed version by the rules of buf.yaml. A break passes only when a
// commit since then carries the trailer, so that the reason stands in the history.
func checkContract(ctx context.Context, c checkout) error {
	base, err := contractBase(ctx, c)
	if err != nil {
		return err
	}
	if base == "" {
		fmt.Println("the contract has one version so far: nothing to compare")
		return nil
	}
	tmp, err := os.MkdirTemp("", "warledger-contract-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := protosAt(ctx, c, base, tmp); err != nil {
		return err
	}
	if !hasProtos(tmp) {
		fmt.Printf("no contract at %.12s: nothing to compare\n", base)
		return nil
	}
	fmt.Printf("against %.12s\n", base)
	broken := c.run(ctx, tool("buf", "breaking", "--against", tmp)...)
	if broken == nil {
		return nil
	}
	reason, err := c.output(ctx, "git", "log", "--format=%(trailers:key="+breakTrailer+",valueonly)", base+"..HEAD")
	if err != nil {
		return err
	}
	if reason = strings.TrimSpace(reason); reason != "" {
		fmt.Printf("broken on purpose: %s\n", reason)
		return nil
	}
	return fmt.Errorf("%w; a break on purpose needs a line %q at the end of its commit's message",
		broken, breakTrailer+": why")
}

// contractBase is the commit that the protos of the working tree are compared with; empty when none exists.
//
// For work on top of main that is where it left main. On main itself, as in CI, it is the commit before the last
// change of the protos, so that the check looks at a real change and never at a version and itself.
func contractBase(ctx context.Context, c checkout) (string, error) {
	head, err := c.output(ctx, "git", "rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	if main, ok := mainBranch(ctx, c); ok {
		base, err := c.output(ctx, "git", "merge-base", "HEAD", main)
		if err != nil {
			return "", err
		}
		if base != head {
			return base, nil
		}
	}
	dirty, err := c.output(ctx, "git", "status", "--porcelain", "--untracked-files=no", "--", "proto/*.proto")
	if err != nil || dirty != "" {
		return head, err
	}
	changed, err := c.output(ctx, "git", "log", "-1", "--first-parent", "-m", "--format=%H %P", "HEAD", "--",
		"proto/*.proto")
	if err != nil {
		return "", err
	}
	if commits := strings.Fields(changed); len(commits) > 1 {
		return commits[1], nil
	}
	shallow, err := c.output(ctx, "git", "rev-parse", "--is-shallow-repository")
	if err != nil {
		return "", err
	}
	if shallow == "true" {
		return "", errors.New("this clone is shallow and lacks the contract's last version; git fetch --unshallow")
	}
	return "", nil
}

// mainBranch finds main as the remote has it, else as this clone has it.
func mainBranch(ctx context.Context, c checkout) (string, bool) {
	for _, ref := range []string{"refs/remotes/origin/main", "refs/heads/main"} {
		if out, err := c.output(ctx, "git", "for-each-ref", "--format=%(objectname)", ref); err == nil && out != "" {
			return ref, true
		}
	}
	return "", false
}

// protosAt writes the protos of a commit to dir, beside today's buf.yaml.
func protosAt(ctx context.Context, c checkout, commit, dir string) error {
	if err := copyFile(c.path("buf.yaml"), filepath.Join(dir, "buf.yaml")); err != nil {
		return err
	}
	if out, err := c.output(ctx, "git", "ls-tree", commit, "proto"); err != nil || out == "" {
		return err
	}
	archive, err := c.output(ctx, "git", "archive", "--format=tar", commit, "proto")
	if err != nil {
		return err
	}
	files := tar.NewReader(bytes.NewReader([]byte(archive)))
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg || !strings.HasSuffix(h.Name, ".proto") || !filepath.IsLocal(h.Name) {
			continue
		}
		data, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		if err := writeChanged(filepath.Join(dir, filepath.FromSlash(h.Name)), data); err != nil {
			return err
		}
	}
}

func hasProtos(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "proto"))
	return err == nil
}
