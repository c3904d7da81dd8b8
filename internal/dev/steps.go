package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// step is one part of a chore that passes or fails by itself.
type step struct {
	name string
	run  func(context.Context, checkout) error
}

// inTurn runs every step, also after one failed, so that one run shows all that is wrong.
// It prints nothing after the last step when all passed: a run of check ends with the lines of go test.
func inTurn(ctx context.Context, c checkout, steps []step) error {
	var failed []error
	for _, s := range steps {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(failed, err)...)
		}
		fmt.Printf("=== %s\n", s.name)
		if err := s.run(ctx, c); err != nil {
			fmt.Printf("--- FAIL: %s: %v\n", s.name, err)
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	return errors.Join(failed...)
}

// command makes a step of a command line.
func command(name string, argv ...string) step {
	return step{name, func(ctx context.Context, c checkout) error { return c.run(ctx, argv...) }}
}

func lintSteps() []step {
	return []step{
		{"gofmt", checkFormat},
		command("go vet", "go", "vet", "./..."),
		command("staticcheck", tool("staticcheck", "./...")...),
		{"deadcode", checkReachable},
		command("buf lint", tool("buf", "lint")...),
		command("buf format", tool("buf", "format", "--diff", "--exit-code")...),
	}
}

// crossSteps build the programs for systems on which no test runs here.
func crossSteps() []step {
	var steps []step
	for _, p := range []string{"linux/arm64", "darwin/arm64", "windows/amd64"} {
		steps = append(steps, step{"build for " + p, func(ctx context.Context, c checkout) error {
			return build(ctx, c, p, "", "")
		}})
	}
	return steps
}

func checkSteps() []step {
	return slices.Concat(lintSteps(), []step{
		{"generated files are current", checkGenerated},
		{"contract is unbroken", checkContract},
		{"files of languages are current", checkLanguages},
		{"web board is current", checkWeb},
	}, crossSteps(), raceSteps())
}
