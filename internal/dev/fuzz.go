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
//
// Each package is built once for all its targets, while those of the package before run: go test would link a program
// anew for each target, which took longer than the inputs.
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
	if only := flags.Args(); len(only) > 0 {
		targets = slices.DeleteFunc(targets, func(t target) bool { return !slices.Contains(only, t.folder) })
	}
	cache, err := c.output(ctx, "go", "env", "GOCACHE")
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "warledger-fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var failed []error
	for p := range c.buildTargets(ctx, tmp, targets) {
		if p.err != nil {
			failed = append(failed, p.err)
			continue
		}
		for _, name := range p.names {
			fmt.Printf("=== %s %s\n", p.folder, name)
			if err := p.run(ctx, c, name, *amount, filepath.Join(cache, "fuzz")); err != nil {
				failed = append(failed, fmt.Errorf("%s %s: %w", p.folder, name, err))
			}
		}
	}
	return errors.Join(failed...)
}

type target struct{ folder, name string }

// fuzzProgram is the program with the targets of a package, or why it could not be built.
type fuzzProgram struct {
	folder, path, pkg string
	names             []string
	err               error
}

// buildTargets builds the programs of some targets in their order, one ahead of whoever takes them.
func (c checkout) buildTargets(ctx context.Context, to string, targets []target) <-chan fuzzProgram {
	out := make(chan fuzzProgram)
	go func() {
		defer close(out)
		for i := 0; i < len(targets); {
			p := fuzzProgram{folder: targets[i].folder}
			for ; i < len(targets) && targets[i].folder == p.folder; i++ {
				p.names = append(p.names, targets[i].name)
			}
			p.path = filepath.Join(to, strings.ReplaceAll(p.folder, "/", "-")+".test")
			if p.pkg, p.err = c.output(ctx, "go", "list", "./"+p.folder); p.err == nil {
				// With -fuzz the program counts what its inputs cover. The name of the target changes nothing in it.
				p.err = c.run(ctx, "go", "test", "-c", "-vet=off", "-fuzz=^"+p.names[0]+"$", "-o", p.path,
					"./"+p.folder)
			}
			out <- p
		}
	}()
	return out
}

// run runs one target, as go test would.
func (p fuzzProgram) run(ctx context.Context, c checkout, name, amount, cache string) error {
	// Inputs of targets with a server behind them seldom cover the same twice, and each would be made smaller for a
	// minute.
	cmd := c.command(ctx, []string{p.path, "-test.run=^$", "-test.fuzz=^" + name + "$", "-test.fuzztime=" + amount,
		"-test.fuzzminimizetime=20x", "-test.fuzzcachedir=" + filepath.Join(cache, filepath.FromSlash(p.pkg))})
	cmd.Dir, cmd.Stdout = c.path(p.folder), os.Stdout
	return cmd.Run()
}

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
	slices.SortStableFunc(all, func(a, b target) int { return strings.Compare(a.folder, b.folder) })
	return all, nil
}
