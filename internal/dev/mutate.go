package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/warledger/warledger/internal/dev/mutation"
)

// explainedMutants lists the mutants that may survive, with reasons. The package mutation describes the list.
const explainedMutants = "internal/dev/explained.tsv"

// mutating is one run of the chore: what is changed, what is run on each change, and the results.
type mutating struct {
	c      checkout
	source *mutation.Source
	places []string // FILE:LINE where mutants are drawn; nil for everywhere
	tests  []string // packages whose tests run
	named  string   // regular expression of tests
	args   []string // for their programs
	dir    string   // for changed sources and programs
	list   mutation.List

	mutants []mutation.Mutant // those drawn, without those that do not compile
	refused int
	choice  mutation.Choice // numbered as mutants
	suites  []*suite

	patience time.Duration // for tests, besides what they take

	killed, timedOut, explained int
	survivors                   []mutation.Mutant
	troubles                    []error
}

// mutate makes one small change in a package at a time and runs its tests, to learn which changes they do not notice.
// The tests read the changed source through an overlay, so no file of the checkout is touched. Nearly all changes are
// built into one program, which asks the environment for the one to make. A record says beforehand which tests reach
// which change, and only those run. A change is noticed where a test fails, panics or does not come to its end, and
// passes without the change. It fails if fewer than -least percent are noticed or explained, or where tests end in
// another way, which may be the machine's fault.
func mutate(ctx context.Context, c checkout, args []string) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	n := flags.Int("n", 100, "mutants to try; those that do not compile do not count")
	seed := flags.Uint64("seed", 1, "which ones")
	with := flags.String("with", "", "further packages whose tests run, separated by commas")
	run := flags.String("run", ".", "names of the tests to run, as a regular expression")
	skip := flags.String("skip", "", "tests to leave out, as go test -skip")
	long := flags.Bool("long", false, "run the long tests too, without -short")
	places := flags.String("at", "", "only at these places: FILE:LINE, separated by commas")
	least := flags.Int("least", 0, "fail when fewer of a hundred are noticed or explained")
	patience := flags.Duration("patience", 20*time.Second, "for tests, besides five times what they take unchanged")
	var pkg string
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		pkg, args = args[0], args[1:]
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if pkg == "" || flags.NArg() > 0 {
		return errors.New("usage: mutate PACKAGE [-n 100] [-seed 1] [-at FILE:LINE,...] [-with PACKAGES] " +
			"[-run REGEXP] [-skip REGEXP] [-long] [-least PERCENT] [-patience DURATION]")
	}
	m := &mutating{
		c: c, tests: []string{pkg}, named: *run, args: []string{"-test.skip=" + *skip}, patience: *patience,
	}
	if *places != "" {
		m.places = strings.Split(*places, ",")
	}
	if *with != "" {
		m.tests = append(m.tests, strings.Split(*with, ",")...)
	}
	if !*long {
		m.args = append(m.args, "-test.short")
	}
	began := time.Now()
	all, err := m.prepare(ctx, pkg, *n, *seed)
	defer os.RemoveAll(m.dir)
	if err != nil {
		return err
	}
	fmt.Printf("prepared in %v: %d of %d mutants in one program, %d tests of %.1f s\n",
		time.Since(began).Round(time.Second),
		len(m.mutants)-len(m.choice.Alone), len(m.mutants), m.count(), m.seconds())
	began = time.Now()
	if err := m.try(ctx); err != nil {
		return err
	}
	fmt.Printf("%.1f s a mutant\n", time.Since(began).Seconds()/float64(max(1, len(m.mutants))))
	return m.report(all, *least)
}

// prepare draws the mutants, builds them, and records which tests reach them. It returns how many places there are.
func (m *mutating) prepare(ctx context.Context, pkg string, n int, seed uint64) (int, error) {
	list, err := os.Open(m.c.path(explainedMutants))
	if err != nil {
		return 0, err
	}
	defer list.Close()
	if m.list, err = mutation.Explained(list); err != nil {
		return 0, fmt.Errorf("%s: %w", explainedMutants, err)
	}
	if m.dir, err = os.MkdirTemp("", "warledger-mutate-"); err != nil {
		return 0, err
	}
	if m.source, err = mutation.Load(ctx, string(m.c), pkg); err != nil {
		return 0, err
	}
	all, err := m.source.Mutants()
	if err != nil {
		return 0, err
	}
	all = slices.DeleteFunc(all, func(mutant mutation.Mutant) bool { return !m.wanted(mutant) })
	if err := m.draw(mutation.Sample(all, seed), n); err != nil {
		return 0, err
	}
	return len(all), m.build(ctx)
}

// wanted reports whether a mutant is at one of the places that were named. A file may be named without its folder.
func (m *mutating) wanted(mutant mutation.Mutant) bool {
	at := fmt.Sprintf("%s:%d", mutant.File, mutant.Line)
	return m.places == nil || slices.ContainsFunc(m.places, func(place string) bool {
		return place == at || strings.HasSuffix(at, "/"+place)
	})
}

// draw takes the first n that compile.
func (m *mutating) draw(drawn []mutation.Mutant, n int) error {
	n = min(n, len(drawn))
	for take := n; ; {
		choice, err := m.source.Choose(drawn[:take])
		if err != nil {
			return err
		}
		m.refused = len(choice.Refused)
		if good := take - m.refused; good < n && take < len(drawn) {
			take = min(take+n-good, len(drawn))
			continue
		}
		if m.refused == 0 {
			m.mutants, m.choice = drawn[:take], choice
			return nil
		}
		for i, mutant := range drawn[:take] {
			if !choice.Refused[i] {
				m.mutants = append(m.mutants, mutant)
			}
		}
		m.choice, err = m.source.Choose(m.mutants)
		return err
	}
}

// try runs the tests on one mutant after the other.
func (m *mutating) try(ctx context.Context) error {
	for i, mutant := range m.mutants {
		began := time.Now()
		v, err := m.noticed(ctx, i)
		if err != nil {
			return err
		}
		_, explained := m.list.Reason(mutant)
		said := "LIVES"
		switch {
		case v.timedOut:
			said = "timed out"
			m.timedOut++
		case v.by != "":
			said = "noticed"
			m.killed++
		case v.trouble != "":
			said = "TROUBLE"
			m.troubles = append(m.troubles, fmt.Errorf("%v: %s", mutant, v.trouble))
		case explained:
			said = "explained"
			m.explained++
		default:
			m.survivors = append(m.survivors, mutant)
		}
		fmt.Printf("%4d %-9s %v [%.1f s %s]\n", i+1, said, mutant, time.Since(began).Seconds(), v.by)
	}
	return nil
}

// report prints the surviving mutants, as lines for the list of explained ones, and the counts.
func (m *mutating) report(all, least int) error {
	for _, mutant := range m.survivors {
		fmt.Println(mutant.Entry())
	}
	tried := len(m.mutants)
	if tried == 0 {
		return errors.New("there is nothing to change in that package")
	}
	fmt.Printf("%s: %d of %d places tried: %d noticed, %d timed out, %d explained, %d survive, %d in trouble; "+
		"%d more did not compile\n",
		m.source.Path(), tried, all, m.killed, m.timedOut, m.explained, len(m.survivors), len(m.troubles), m.refused)
	problems := m.troubles
	for _, s := range m.suites {
		for _, t := range s.tests {
			if t.flaky {
				problems = append(problems, fmt.Errorf("%s of %s fails without any change", t.name, s.pkg))
			}
		}
	}
	if good := m.killed + m.timedOut + m.explained; 100*good < least*tried {
		problems = append(problems,
			fmt.Errorf("%d of %d noticed or explained: fewer than %d of a hundred", good, tried, least))
	}
	return errors.Join(problems...)
}
