package main

import (
	"context"
	"flag"
	"fmt"
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
var single = []string{
	"/cmd/internal/build", "/cmd/internal/secret", "/cmd/warledger/internal/doctor",
	"/cmd/warledger/internal/picture", "/eventstore/internal/cutter", "/internal/apidoc",
	"/internal/dev/mutation", "/internal/facts", "/internal/house", "/languages", "/rules/anniversary/odds",
	"/service/alphabet", "/service/deadline", "/service/elements",
}

// sideBySide are the tests of them that it watches.
const sideBySide = "^(TestCases|TestGoldenLogs|TestGreedy.*DependsOnTheSeedAlone|TestTheSameSeedChoosesTheSame)$"

// unwatched are packages of others that compute from what they are given: the detector would make pictures and
// comparisons many times slower there. What two goroutines share is still seen wherever it is touched outside of them.
var unwatched = []string{"compress/flate", "compress/zlib", "hash/adler32", "hash/crc32", "image", "image/color",
	"image/draw", "image/png", "git.sr.ht/~sbinet/gg", "github.com/golang/freetype/...", "golang.org/x/image/...",
	"github.com/google/go-cmp/..."}

// raceFlags turn the detector on. The check of unsafe pointers that comes with it stays on for this module alone: most
// of it would be spent on protobuf.
func raceFlags() []string {
	flags := []string{"-race", "-gcflags=all=-d=checkptr=0",
		"-gcflags=github.com/warledger/warledger/...=-d=checkptr=1"}
	for _, pkg := range unwatched {
		flags = append(flags, "-gcflags="+pkg+"=-d=checkptr=0 -race=0")
	}
	return flags
}

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
			// The run without the detector has vetted the same files. Some packages mostly wait, so three run at once.
			test := []string{"go", "test", "-p", "3", "-short", "-vet=off", "-timeout", "25m"}
			return c.run(ctx, slices.Concat(test, raceFlags(), args, list)...)
		}}
	}
	without := fmt.Sprintf("go test -race, without %d packages that have no goroutines", len(single))
	return []step{run("go test -race, rulesets side by side", true, "-run", sideBySide), run(without, false)}
}

// race runs the tests with the detector. With -build it only compiles what they need, so that a later run finds it.
func race(ctx context.Context, c checkout, args []string) error {
	flags := flag.NewFlagSet("race", flag.ContinueOnError)
	compile := flags.Bool("build", false, "compile what the tests need, and run none")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *compile {
		return c.run(ctx, slices.Concat([]string{"go", "build"}, raceFlags(), []string{"./..."})...)
	}
	return inTurn(ctx, c, raceSteps())
}

// isOf reports whether a package is one of those that a list names by the ends of their paths.
func isOf(list []string, pkg string) bool {
	return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(pkg, end) })
}
