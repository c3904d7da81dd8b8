package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// fuzz runs every fuzz target of the checkout for so many inputs, or a time such as 30s. Packages may follow the flag,
// as folders; the default is all of them. A count, unlike a time, ends a run where it ended before.
func fuzz(ctx context.Context, c checkout, args []string) error {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	amount := flags.String("for", "2000x", "inputs (2000x) or time (30s) for each target, as go test -fuzztime")
	if err := flags.Parse(args); err != nil {
		return err
	}
	targets, err := fuzzTargets(ctx, c)
	if err != nil {
		return err
	}
	var failed []error
	for _, t := range targets {
		if only := flags.Args(); len(only) > 0 && !slices.Contains(only, t.folder) {
			continue
		}
		fmt.Printf("=== %s %s\n", t.folder, t.name)
		// Inputs of targets with a server behind them seldom cover the same twice, and each would be made
		// smaller for a minute.
		err := c.run(ctx, "go", "test", "./"+t.folder, "-run=^$", "-fuzz=^"+t.name+"$", "-fuzztime="+*amount,
			"-fuzzminimizetime=20x")
		if err != nil {
			failed = append(failed, fmt.Errorf("%s %s: %w", t.folder, t.name, err))
		}
	}
	return errors.Join(failed...)
}

type target struct{ folder, name string }

// fuzzTargets are those of all test files that git knows.
func fuzzTargets(ctx context.Context, c checkout) ([]target, error) {
	out, err := c.output(ctx, "git", "ls-files", "*_test.go")
	if err != nil {
		return nil, err
	}
	var all []target
	for _, name := range strings.Fields(out) {
		data, err := os.ReadFile(filepath.Join(string(c), name))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and git not told yet
		}
		if err != nil {
			return nil, err
		}
		for _, m := range fuzzTarget.FindAllSubmatch(data, -1) {
			all = append(all, target{filepath.ToSlash(filepath.Dir(name)), string(m[1])})
		}
	}
	return all, nil
}
