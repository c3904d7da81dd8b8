package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// bench runs the benchmarks of the base and of the working tree in turns, so that a slow minute of the machine falls on
// both, and hands both results to benchstat. Packages may follow the flags; the default is all of them.
func bench(ctx context.Context, c checkout, args []string) (err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	base := flags.String("base", "", "commit to compare with (default: where this work left main, or the last commit)")
	pattern := flags.String("bench", ".", "benchmarks to run, as go test -bench")
	rounds := flags.Int("rounds", 6, "runs of each side; benchstat wants six or more")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages := flags.Args()
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	if *base == "" {
		if *base, err = benchBase(ctx, c); err != nil {
			return err
		}
	}
	tmp, err := os.MkdirTemp("", "warledger-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	old := checkout(filepath.Join(tmp, "base"))
	if err := c.run(ctx, "git", "worktree", "add", "--quiet", "--detach", string(old), *base); err != nil {
		return err
	}
	defer func() {
		// The context may be cancelled by now, and the work tree must go all the same.
		err = errors.Join(err, c.run(context.WithoutCancel(ctx), "git", "worktree", "remove", "--force", string(old)))
	}()
	results := map[checkout]*strings.Builder{old: {}, c: {}}
	for round := range *rounds {
		for _, side := range []checkout{old, c} {
			fmt.Fprintf(os.Stderr, "round %d of %d: %s\n", round+1, *rounds, side)
			argv := append([]string{"go", "test", "-run=^$", "-benchmem", "-bench=" + *pattern}, packages...)
			out, err := side.output(ctx, argv...)
			if err != nil {
				fmt.Fprintln(os.Stderr, out)
				return err
			}
			fmt.Fprintln(results[side], out)
		}
	}
	names := map[checkout]string{old: filepath.Join(tmp, "base.txt"), c: filepath.Join(tmp, "tree.txt")}
	for side, name := range names {
		if err := os.WriteFile(name, []byte(results[side].String()), 0o644); err != nil {
			return err
		}
	}
	return c.run(ctx, tool("benchstat", "base="+names[old], "tree="+names[c])...)
}

// benchBase is where this work left main; on main itself the last commit, or the one before it when nothing is changed.
func benchBase(ctx context.Context, c checkout) (string, error) {
	head, err := c.output(ctx, "git", "rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	if main, ok := mainBranch(ctx, c); ok {
		if base, err := c.output(ctx, "git", "merge-base", "HEAD", main); err == nil && base != head {
			return base, nil
		}
	}
	changed, err := c.output(ctx, "git", "status", "--porcelain")
	if err != nil || changed != "" {
		return head, err
	}
	return c.output(ctx, "git", "rev-parse", "HEAD~1")
}
