package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"github.com/warledger/warledger/internal/dev/mutation"
)

// verdict is what tests say about a mutant: at most one of its first and last fields is set.
type verdict struct {
	by       string // the test that noticed it
	timedOut bool   // that test did not come to its end
	trouble  string // why nothing can be said
}

// ending is how a program of tests stopped.
type ending int

const (
	failed   ending = iota + 1 // a test said that something is wrong
	panicked                   // a panic, or what is left behind when the tests have passed
	timedOut                   // the tests took longer than they may
	lost                       // what need not come from the tests: no memory, a signal, a plain exit
)

var (
	failure = regexp.MustCompile(`(?m)^ *--- FAIL: ((?:Test|Fuzz|Example)\w*)`)
	running = regexp.MustCompile(`(?m)^\t+((?:Test|Fuzz|Example)\w*)[ /]`)
	traced  = regexp.MustCompile(`(?m)^.*\.((?:Test|Fuzz|Example)\w*)[(. ]`)
	timeout = regexp.MustCompile(`(?m)^panic: test timed out after `)
	// panics are those of Go, and the errors of its runtime that the machine has no part in.
	panics = regexp.MustCompile(`(?m)^(?:panic: |fatal error: (?:stack overflow|all goroutines are asleep|` +
		`concurrent map|sync: |fault$)|goleak: Errors on successful test run)`)
	compiler = regexp.MustCompile(`(?m)^\S+\.go:\d+:\d+: `)
)

// judge tells from what a program of tests prints how it failed, and the tests that it names for that.
func judge(out []byte, exit *exec.ExitError) (ending, []string) {
	named := func(pattern *regexp.Regexp) (names []string) {
		for _, found := range pattern.FindAllSubmatch(out, -1) {
			names = append(names, string(found[1]))
		}
		return names
	}
	switch {
	case exit.ExitCode() < 0:
		return lost, nil
	case timeout.Match(out):
		return timedOut, named(running)
	case failure.Match(out):
		return failed, named(failure)
	case panics.Match(out):
		return panicked, named(traced)
	}
	return lost, nil
}

// firstNamed is the first of some tests whose name is among the names. One that ran by itself and did not say that it
// failed needs no name.
func firstNamed(tests []*tested, end ending, names []string) *tested {
	for _, name := range names {
		for _, t := range tests {
			if t.name == name {
				return t
			}
		}
	}
	if len(tests) == 1 && (end == panicked || end == timedOut) {
		return tests[0]
	}
	return nil
}

// attempt runs tests of one suite together on a mutant. Only a test that passes without the mutant can notice it.
func (m *mutating) attempt(ctx context.Context, n int, program string, tests []*tested) (verdict, error) {
	patience := m.patience
	for _, t := range tests {
		patience += time.Duration(5 * t.seconds * float64(time.Second))
	}
	limit := "-test.timeout=" + patience.String()
	dir := tests[0].suite.dir
	out, err := m.run(ctx, dir, []string{mutation.Variable + "=" + strconv.Itoa(n+1)}, program,
		m.only(tests, "-test.failfast", limit)...)
	if err == nil {
		return verdict{}, nil
	}
	var exit *exec.ExitError
	if ctx.Err() != nil || !errors.As(err, &exit) {
		return verdict{}, errors.Join(ctx.Err(), err)
	}
	end, names := judge(out, exit)
	culprit := firstNamed(tests, end, names)
	if culprit == nil {
		return verdict{trouble: fmt.Sprintf("%v, which no test accounts for:\n%s", err, tail(out))}, nil
	}
	again := []*tested{culprit}
	if end == timedOut {
		again = tests // the machine may have been busy with any of them
	}
	began := time.Now()
	out, err = m.run(ctx, dir, nil, tests[0].suite.program, m.only(again, limit)...)
	took := time.Since(began)
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err()
	case err == nil && end == timedOut && took > patience/4:
		return verdict{trouble: fmt.Sprintf("%s takes more than %v, and %v without the change", culprit.name,
			patience, took)}, nil
	case err == nil:
		culprit.killed = append(culprit.killed, n)
		return verdict{by: culprit.name, timedOut: end == timedOut}, nil
	case !errors.As(err, &exit):
		return verdict{}, err
	}
	if end, _ := judge(out, exit); end == failed || end == panicked {
		culprit.flaky = true
	}
	return verdict{trouble: fmt.Sprintf("%s fails without the change too: %v\n%s", culprit.name, err, tail(out))},
		nil
}

// singly runs tests on a mutant that made trouble when they ran together.
func (m *mutating) singly(ctx context.Context, n int, program string, tests []*tested) (verdict, error) {
	var trouble verdict
	for _, t := range tests {
		if t.flaky {
			trouble = verdict{trouble: t.name + " fails without the change too"}
			continue
		}
		v, err := m.attempt(ctx, n, program, []*tested{t})
		if err != nil || v.by != "" {
			return v, err
		}
		if v.trouble != "" {
			trouble = v
		}
	}
	return trouble, nil
}

// tail is the end of what a program prints.
func tail(out []byte) []byte {
	const most = 600
	out = bytes.TrimSpace(out)
	return out[max(0, len(out)-most):]
}
