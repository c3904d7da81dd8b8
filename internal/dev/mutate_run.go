package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/warledger/warledger/internal/dev/mutation"
)

// suite is the tests of a package: one program that holds all mutants that are not alone.
type suite struct {
	pkg     string
	dir     string // where its tests run
	program string
	tests   []*tested
}

// tested is one test that runs by itself.
type tested struct {
	name    string
	suite   *suite
	seconds float64
	reaches map[int]bool // mutants
	killed  []int        // mutants
	flaky   bool         // it has failed without a mutant
}

// build makes the programs, and runs each test once with a record of the mutants that it reaches. All must pass.
func (m *mutating) build(ctx context.Context) error {
	overlay, err := m.overlay(m.choice.Files)
	if err != nil {
		return err
	}
	for i, pkg := range m.tests {
		s := &suite{program: filepath.Join(m.dir, fmt.Sprintf("all%d.test", i))}
		out, err := m.c.output(ctx, "go", "list", "-f", "{{.ImportPath}}\n{{.Dir}}", pkg)
		if err != nil {
			return err
		}
		s.pkg, s.dir, _ = strings.Cut(out, "\n")
		if _, err := m.compile(ctx, s.program, overlay, pkg); err != nil {
			return err
		}
		if err := m.record(ctx, s); err != nil {
			return err
		}
		m.suites = append(m.suites, s)
	}
	return nil
}

// compile makes a test program; it returns what the compiler says.
func (m *mutating) compile(ctx context.Context, program, overlay, pkg string) ([]byte, error) {
	cmd := m.c.command(ctx, []string{"go", "test", "-c", "-vet=off", "-overlay=" + overlay, "-o", program, pkg})
	cmd.Stderr = nil
	out, err := cmd.CombinedOutput()
	if err != nil {
		return out, fmt.Errorf("go test -c %s: %w\n%s", pkg, err, out)
	}
	return out, nil
}

// overlay writes changed sources and the file that tells go where they are.
func (m *mutating) overlay(files map[string][]byte) (string, error) {
	dir, err := os.MkdirTemp(m.dir, "overlay")
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range files {
		changed := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		replace[m.c.path(name)] = changed
		if err := os.WriteFile(changed, text, 0o600); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// record lists the tests of a suite and runs each by itself.
func (m *mutating) record(ctx context.Context, s *suite) error {
	out, err := m.run(ctx, s.dir, nil, s.program, "-test.list="+m.named)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	record := filepath.Join(m.dir, "reached")
	for name := range strings.Lines(string(out)) {
		t := &tested{name: strings.TrimSpace(name), suite: s, reaches: map[int]bool{}}
		if !runnable.MatchString(t.name) {
			continue
		}
		if err := os.WriteFile(record, nil, 0o600); err != nil {
			return err
		}
		began := time.Now()
		env := []string{mutation.Variable + "=-1", mutation.RecordVariable + "=" + record}
		if out, err := m.run(ctx, s.dir, env, s.program, m.only([]*tested{t}, "-test.timeout=30m")...); err != nil {
			return fmt.Errorf("%s fails before anything is changed: %w\n%s", t.name, err, out)
		}
		t.seconds = time.Since(began).Seconds()
		reached, err := os.ReadFile(record)
		if err != nil {
			return err
		}
		for _, line := range strings.Fields(string(reached)) {
			n, err := strconv.Atoi(line)
			if err != nil {
				return err
			}
			t.reaches[n-1] = true
		}
		s.tests = append(s.tests, t)
	}
	if out, err := m.run(ctx, s.dir, nil, s.program, m.only(s.tests, "-test.timeout=30m")...); err != nil {
		return fmt.Errorf("the tests fail together before anything is changed: %w\n%s", err, out)
	}
	return nil
}

// runnable are the names that run as tests; benchmarks do not.
var runnable = regexp.MustCompile("^(Test|Fuzz|Example)")

// only is the command line that runs some tests.
func (m *mutating) only(tests []*tested, more ...string) []string {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = t.name
	}
	return append(append(slices.Clone(m.args), "-test.run=^("+strings.Join(names, "|")+")$"), more...)
}

// run runs a program of tests and returns what it prints. A mutant may ask for endless memory, so the memory is
// bounded where a shell can do that.
func (m *mutating) run(ctx context.Context, dir string, env []string, program string, args ...string) ([]byte, error) {
	argv := append([]string{program}, args...)
	if runtime.GOOS == "linux" {
		argv = append([]string{"sh", "-c", `ulimit -v 16777216; exec "$@"`, "sh"}, argv...)
	}
	cmd := m.c.command(ctx, argv)
	cmd.Dir = dir
	cmd.Env = append(append(cmd.Env, "RAPID_NOFAILFILE=true"), env...) // what breaks a mutant is no example to keep
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.Bytes(), err
}

// noticed runs the tests that reach a mutant until one notices it.
func (m *mutating) noticed(ctx context.Context, n int) (verdict, error) {
	if m.choice.Alone[n] {
		return m.alone(ctx, n)
	}
	var trouble verdict
	for _, s := range m.suites {
		var tests []*tested
		for _, t := range s.tests {
			if t.reaches[n] {
				tests = append(tests, t)
			}
		}
		v, err := m.inTurn(ctx, n, s.program, tests)
		if v.by != "" || err != nil {
			return v, err
		}
		if v.trouble != "" {
			trouble = v
		}
	}
	return trouble, nil
}

// alone builds programs for one mutant and runs all tests.
func (m *mutating) alone(ctx context.Context, n int) (verdict, error) {
	mutant := m.mutants[n]
	overlay, err := m.overlay(map[string][]byte{mutant.File: mutant.Apply(m.source.Text(mutant.File))})
	if err != nil {
		return verdict{}, err
	}
	program := filepath.Join(m.dir, "alone.test")
	defer os.Remove(program)
	var trouble verdict
	for _, s := range m.suites {
		out, err := m.compile(ctx, program, overlay, s.pkg)
		if err != nil && !compiler.Match(out) {
			out, err = m.compile(ctx, program, overlay, s.pkg) // no fault of the mutant's
		}
		switch {
		case ctx.Err() != nil:
			return verdict{}, ctx.Err()
		case err != nil && compiler.Match(out):
			return verdict{by: "the compiler"}, nil // of the tests: the package itself compiles
		case err != nil:
			return verdict{trouble: err.Error()}, nil
		}
		v, err := m.inTurn(ctx, n, program, s.tests)
		if v.by != "" || err != nil {
			return v, err
		}
		if v.trouble != "" {
			trouble = v
		}
	}
	return trouble, nil
}

// budgets are the seconds of tests that run together: first those that are likely to fail, then more at a time.
var budgets = []float64{1, 5}

// inTurn runs tests on a mutant, the likeliest to fail first. Where that makes trouble, they run again one by one.
// Trouble that stays is the verdict if no other test notices the mutant.
func (m *mutating) inTurn(ctx context.Context, n int, program string, tests []*tested) (verdict, error) {
	var trouble verdict
	tests = slices.DeleteFunc(slices.Clone(tests), func(t *tested) bool { return t.flaky })
	slices.SortStableFunc(tests, func(a, b *tested) int { return cmp.Compare(m.promise(b, n), m.promise(a, n)) })
	for turn := 0; len(tests) > 0; turn++ {
		some, seconds := 0, 0.0
		for some < len(tests) && (some == 0 || turn >= len(budgets) || seconds+tests[some].seconds <= budgets[turn]) {
			seconds += tests[some].seconds
			some++
		}
		v, err := m.attempt(ctx, n, program, tests[:some])
		if err == nil && v.trouble != "" {
			v, err = m.singly(ctx, n, program, tests[:some])
		}
		if v.by != "" || err != nil {
			return v, err
		}
		if v.trouble != "" {
			trouble = v
		}
		tests = tests[some:]
	}
	return trouble, nil
}

// promise is how likely a test is to notice a mutant, for the time that it takes: it counts the mutants that it has
// noticed, those near by more.
func (m *mutating) promise(t *tested, n int) float64 {
	likely := 0.1
	for _, other := range t.killed {
		a, b := m.mutants[n], m.mutants[other]
		switch {
		case a.File != b.File:
			likely++
		case a.In != b.In:
			likely += 3
		default:
			likely += 9
		}
	}
	return likely / (t.seconds + 0.02)
}

func (m *mutating) count() (n int) {
	for _, s := range m.suites {
		n += len(s.tests)
	}
	return n
}

func (m *mutating) seconds() (sum float64) {
	for _, s := range m.suites {
		for _, t := range s.tests {
			sum += t.seconds
		}
	}
	return sum
}
