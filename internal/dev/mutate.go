package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/warledger/warledger/internal/dev/mutation"
)

// explainedMutants lists the mutants that may survive, with reasons. The package mutation describes the list.
const explainedMutants = "internal/dev/explained.tsv"

// mutating is one run of the chore: what is changed, what is run on each change, and the results.
type mutating struct {
	c       checkout
	pkg     string   // import path of what is changed
	tests   []string // what is run
	args    []string // for go test
	timeout time.Duration
	dir     string // for changed sources and overlays
	list    mutation.List

	killed, explained, refused int
	survivors                  []mutation.Mutant
}

// mutate makes one small change in a package at a time and runs its tests, to learn which changes they do not notice.
// The tests read the changed source through an overlay, so no file of the checkout is touched. It fails if fewer than
// -least percent are noticed or explained.
func mutate(ctx context.Context, c checkout, args []string) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	n := flags.Int("n", 100, "mutants to try; those that do not compile do not count")
	seed := flags.Uint64("seed", 1, "which ones")
	tests := flags.String("tests", "", "packages whose tests run, parted by commas (default: the package's own)")
	run := flags.String("run", "", "tests to run, as go test -run")
	long := flags.Bool("long", false, "run the long tests too, without -short")
	least := flags.Int("least", 0, "fail when fewer of a hundred are noticed or explained")
	var pkg string
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		pkg, args = args[0], args[1:]
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if pkg == "" || flags.NArg() > 0 {
		return errors.New(
			"usage: mutate PACKAGE [-n 100] [-seed 1] [-tests PACKAGES] [-run REGEXP] [-long] [-least PERCENT]",
		)
	}
	m := &mutating{c: c, tests: strings.Split(*tests, ",")}
	if *tests == "" {
		m.tests = []string{pkg}
	}
	if !*long {
		m.args = append(m.args, "-short")
	}
	if *run != "" {
		m.args = append(m.args, "-run="+*run)
	}
	if err := m.prepare(ctx, pkg); err != nil {
		return err
	}
	defer os.RemoveAll(m.dir)
	all, err := m.find(ctx)
	if err != nil {
		return err
	}
	if err := m.try(ctx, mutation.Sample(all, *seed), *n); err != nil {
		return err
	}
	return m.report(len(all), *least)
}

// prepare reads the list of explained mutants, and runs the tests once on the source as it is: they must pass, and
// say how long they take.
func (m *mutating) prepare(ctx context.Context, pkg string) (err error) {
	if m.pkg, err = m.c.output(ctx, "go", "list", pkg); err != nil {
		return err
	}
	list, err := os.Open(m.c.path(explainedMutants))
	if err != nil {
		return err
	}
	defer list.Close()
	if m.list, err = mutation.Explained(list); err != nil {
		return fmt.Errorf("%s: %w", explainedMutants, err)
	}
	began := time.Now()
	if out, err := m.test(ctx, "-timeout=30m"); err != nil {
		return fmt.Errorf("the tests fail before anything is changed: %w\n%s", err, out)
	}
	m.timeout = max(time.Minute, 4*time.Since(began))
	m.dir, err = os.MkdirTemp("", "warledger-mutate-")
	return err
}

// find lists what can be changed in the package's hand-written files.
func (m *mutating) find(ctx context.Context) ([]mutation.Mutant, error) {
	out, err := m.c.output(ctx, "go", "list",
		"-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, m.pkg)
	if err != nil {
		return nil, err
	}
	var all []mutation.Mutant
	for name := range strings.Lines(out) {
		rel, err := filepath.Rel(string(m.c), strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		source, err := os.ReadFile(m.c.path(rel))
		if err != nil {
			return nil, err
		}
		found, err := mutation.Find(filepath.ToSlash(rel), source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// try runs the tests on one mutant after the other, until n were tried.
func (m *mutating) try(ctx context.Context, drawn []mutation.Mutant, n int) error {
	for _, mutant := range drawn {
		tried := m.killed + m.explained + len(m.survivors)
		if tried == n {
			return nil
		}
		verdict, err := m.one(ctx, mutant)
		if err != nil {
			return err
		}
		fmt.Printf("%4d %-9s %v\n", tried+1, verdict, mutant)
	}
	return nil
}

// one runs the tests on a mutant and counts the result.
func (m *mutating) one(ctx context.Context, mutant mutation.Mutant) (string, error) {
	overlay, err := m.overlay(mutant)
	if err != nil {
		return "", err
	}
	out, err := m.test(ctx, "-overlay="+overlay, "-timeout="+m.timeout.String())
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		if _, ok := m.list.Reason(mutant); ok {
			m.explained++
			return "explained", nil
		}
		m.survivors = append(m.survivors, mutant)
		return "LIVES", nil
	case !errors.As(err, &failed):
		return "", err
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		m.refused++
		return "refused", nil
	}
	m.killed++
	return "noticed", nil
}

// overlay writes the changed source and the file that tells go where it is.
func (m *mutating) overlay(mutant mutation.Mutant) (string, error) {
	name := m.c.path(mutant.File)
	source, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(m.dir, "changed.go")
	if err := os.WriteFile(changed, mutant.Apply(source), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {name: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(m.dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, fs.FileMode(0o600))
}

// test runs the tests and returns what they print. A mutant may ask for endless memory, so the memory is bounded where
// a shell can do that.
func (m *mutating) test(ctx context.Context, args ...string) ([]byte, error) {
	argv := append([]string{"go", "test", "-count=1", "-failfast", "-vet=off"}, m.args...)
	argv = append(append(argv, args...), m.tests...)
	if runtime.GOOS == "linux" {
		argv = append([]string{"sh", "-c", `ulimit -v 16777216; exec "$@"`, "sh"}, argv...)
	}
	cmd := m.c.command(ctx, argv)
	cmd.Env = append(cmd.Env, "RAPID_NOFAILFILE=true") // what breaks a mutant is no example to keep
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.Bytes(), err
}

// report prints the surviving mutants, as lines for the list of explained ones, and the counts.
func (m *mutating) report(all, least int) error {
	for _, mutant := range m.survivors {
		fmt.Println(mutant.Entry())
	}
	tried := m.killed + m.explained + len(m.survivors)
	if tried == 0 {
		return errors.New("there is nothing to change in that package")
	}
	fmt.Printf("%s: %d of %d places tried: %d noticed, %d explained, %d survive; %d more did not compile\n",
		m.pkg, tried, all, m.killed, m.explained, len(m.survivors), m.refused)
	if good := m.killed + m.explained; 100*good < least*tried {
		return fmt.Errorf("%d of %d noticed or explained: fewer than %d of a hundred", good, tried, least)
	}
	return nil
}
