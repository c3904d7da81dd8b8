package main

import (
	"context"
	"slices"
	"strings"
)

// alone are packages whose long games one goroutine plays: rules have no goroutines and no state of their own, which
// internal/house proves. The race detector makes such games many times longer and can find nothing in them but tables
// that the games of parallel tests share, so that it watches only stored games being replayed side by side there. The
// run without the detector plays everything.
var alone = []string{"/rules/anniversary", "/rules/downfall", "/rules/ocs", "/clients/bot/greedy",
	"/clients/bot/search"}

// single are packages that the race detector does not watch: none of their code, tests included, starts a goroutine
// or shares anything between tests that run side by side, so that it could find nothing there.
// TestSingleStartsNothing holds that.
var single = []string{"/internal/house"}

// sideBySide are the tests of them that it watches.
const sideBySide = "^(TestCases|TestGoldenLogs|TestGreedy.*DependsOnTheSeedAlone|TestTheSameSeedChoosesTheSame)$"

// raceSteps are the runs with the race detector. With -short tests with servers play fewer games too.
func raceSteps() []step {
	run := func(name string, mine bool, args ...string) step {
		return step{name, func(ctx context.Context, c checkout) error {
			out, err := c.output(ctx, "go", "list", "./...")
			if err != nil {
				return err
			}
			list := slices.DeleteFunc(strings.Fields(out), func(pkg string) bool {
				return isOf(single, pkg) || mine != isOf(alone, pkg)
			})
			// The run without the detector has vetted the same files.
			race := []string{"go", "test", "-race", "-short", "-vet=off", "-timeout", "25m"}
			return c.run(ctx, slices.Concat(race, args, list)...)
		}}
	}
	without := "go test -race, without " + strings.Join(single, ", ") + " (no goroutines)"
	return []step{run("go test -race, rulesets side by side", true, "-run", sideBySide), run(without, false)}
}

// isOf reports whether a package is one of those that a list names by the ends of their paths.
func isOf(list []string, pkg string) bool {
	return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(pkg, end) })
}
