// Command dev does the project's chores the same way for everybody, people and CI alike:
//
//	go run ./internal/dev gen     regenerate what is generated
//	go run ./internal/dev fmt     format Go and protos in place
//	go run ./internal/dev lint    gofmt, go vet, staticcheck, deadcode, buf lint, buf format
//	go run ./internal/dev check   lint, generated files current, contract unbroken, web board current, builds for
//	                              other systems, tests with the race detector
//	go run ./internal/dev race    tests with the race detector alone; with -build what they need is only compiled
//	go run ./internal/dev web     build the web board
//	go run ./internal/dev language  begin the file of a language, or make those that exist current
//	go run ./internal/dev fuzz    every fuzz target for a while
//	go run ./internal/dev mutate  make small changes in a package, and list those that its tests do not notice
//	go run ./internal/dev bench   benchmarks of the working tree against main, through benchstat
//	go run ./internal/dev tokens  count hand-written Go tokens by folder
//	go run ./internal/dev nightly hours of power failures, kills, a hostile stranger, fuzzing, vulnerabilities
//	                              and mutants
//	go run ./internal/dev release the archives of a version for every platform, with checksums and a list of
//	                              what is in them
//
// It needs Go and git, and Node with npm for the web board alone; every other tool is built from
// internal/tools/go.mod. It runs from any folder of the checkout.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

// chore is one subcommand. Its error says what is wrong in words for the person at the terminal.
type chore struct {
	name, says string
	run        func(context.Context, checkout, []string) error
}

func chores() []chore {
	return []chore{
		{"gen", "regenerate what is generated",
			func(ctx context.Context, c checkout, _ []string) error { return generate(ctx, c) }},
		{"fmt", "format Go and protos in place",
			func(ctx context.Context, c checkout, _ []string) error { return format(ctx, c) }},
		{"lint", "gofmt, go vet, staticcheck, deadcode, buf lint, buf format",
			func(ctx context.Context, c checkout, _ []string) error {
				return inTurn(ctx, c, lintSteps())
			}},
		{"check", "lint, generated files current, contract unbroken, web board current, builds for other " +
			"systems, tests with the race detector", func(ctx context.Context, c checkout, _ []string) error {
			return inTurn(ctx, c, checkSteps())
		}},
		{"race", "tests with the race detector alone", race},
		{"web", "build the web board, with Node and npm", buildWeb},
		{"language", "begin the file of a language, or make those that exist current; -texts adds the full texts " +
			"of rules", writeLanguages},
		{"fuzz", "every fuzz target for a while", fuzz},
		{"mutate", "make small changes in a package, and list those that its tests do not notice", mutate},
		{"bench", "benchmarks of the working tree against main", bench},
		{"nightly",
			"hours of power failures, kills, a hostile stranger, fuzzing, vulnerabilities and mutants", nightly},
		{"release",
			"the archives of a version for every platform, with checksums and a list of what is in them", release},
		{"tokens", "count hand-written Go tokens by folder", tokens},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := dispatch(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "dev:", err)
		os.Exit(1)
	}
}

// dispatch runs the chore that args name.
func dispatch(ctx context.Context, args []string, help io.Writer) error {
	if len(args) == 0 {
		usage(help)
		return errors.New("name a chore")
	}
	for _, ch := range chores() {
		if ch.name != args[0] {
			continue
		}
		c, err := findCheckout()
		if err != nil {
			return err
		}
		return ch.run(ctx, c, args[1:])
	}
	usage(help)
	return fmt.Errorf("unknown chore %q", args[0])
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: go run ./internal/dev CHORE")
	for _, ch := range chores() {
		fmt.Fprintf(w, "  %-7s %s\n", ch.name, ch.says)
	}
}

// findCheckout walks up from the working directory to the folder whose go.mod is the product's.
func findCheckout() (checkout, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module github.com/warledger/warledger\n") {
			return checkout(dir), nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not inside a checkout of github.com/warledger/warledger", start)
		}
	}
}
