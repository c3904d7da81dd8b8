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
)

// nightly runs what is too long for every change: hours in all. Each part is one that check has in small.
func nightly(ctx context.Context, c checkout, args []string) error {
	flags := flag.NewFlagSet("nightly", flag.ContinueOnError)
	fuzzing := flags.Duration("fuzz", time.Hour, "time for all fuzz targets together")
	mutants := flags.String("n", "40", "mutants of each package")
	seed := flags.String("seed", "", "seed of mutants and power failures; the day if not given")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *seed == "" {
		*seed = time.Now().UTC().Format("20060102")
	}
	targets, err := fuzzTargets(ctx, c)
	if err != nil {
		return err
	}
	each := max(time.Second, *fuzzing/time.Duration(max(1, len(targets)))).Round(time.Second)
	if os.Getenv(postgresPrograms) == "" {
		return fmt.Errorf("set %s to the folder of initdb: some of the tests need PostgreSQL", postgresPrograms)
	}
	steps := []step{
		with("power failures", []string{"WARLEDGER_IMAGES=40000", "WARLEDGER_SEED=" + *seed},
			"go", "test", "./eventstore/bbolt", "-run", "Power|Errors|Found", "-count=1", "-timeout", "3h"),
		with("kills", []string{"WARLEDGER_TEST_KILLS=200"}, "go", "test", "./cmd/warledgerd", "-run",
			"TestKilledUnderLoad", "-count=1", "-timeout", "2h"),
		with("a hostile stranger", []string{"WARLEDGER_HOSTILE=10m"}, "go", "test", "./cmd/warledgerd", "-run",
			"TestHostile", "-count=1", "-timeout", "1h"),
		with("bad weather", []string{"WARLEDGER_TEST_WEATHER=1"}, "go", "test", "./cmd/warledgerd", "-run",
			"Database|Fleet|Server", "-count=1", "-timeout", "1h"),
		with("the service on PostgreSQL", []string{"WARLEDGER_TEST_STORE=postgres"}, "go", "test", "./service",
			"-count=1",
			"-timeout", "1h"),
		with("histories", []string{"WARLEDGER_HISTORY_SEEDS=100"}, "go", "test", "./service", "-run", "TestHistories$",
			"-count=1", "-timeout", "1h"),
		with("a cluster", []string{"WARLEDGER_CLUSTER_SEEDS=60," + *seed}, "go", "test", "./internal/cluster",
			"-count=1", "-timeout", "2h"),
		{"whole games in a browser", func(ctx context.Context, c checkout) error {
			if err := prepareWeb(ctx, c); err != nil {
				return err
			}
			return c.run(ctx, npm(webFolder, "run", "test:whole")...)
		}},
		{"vulnerabilities", checkVulnerabilities},
		{"fuzz", func(ctx context.Context, c checkout) error { return fuzz(ctx, c, []string{"-for", each.String()}) }},
	}
	for _, pkg := range mutated {
		steps = append(steps, step{"mutants of " + pkg, func(ctx context.Context, c checkout) error {
			return mutate(ctx, c, []string{pkg, "-n", *mutants, "-seed", *seed, "-least", "90"})
		}})
	}
	return inTurn(ctx, c, steps)
}

// postgresPrograms names the variable of the environment that tests find PostgreSQL by.
const postgresPrograms = "WARLEDGER_POSTGRES"

// mutated are the packages that referee, keep and throw: those whose tests must notice any change.
var mutated = []string{
	"./rules", "./rules/dice", "./rules/downfall", "./rules/anniversary", "./rules/ocs", "./eventstore/bbolt",
	"./eventstore/postgres", "./service/ledger",
}

// with makes a step of a command line with variables of the environment.
func with(name string, variables []string, argv ...string) step {
	return step{name, func(ctx context.Context, c checkout) error {
		cmd := c.command(ctx, argv)
		cmd.Env, cmd.Stdout = append(cmd.Env, variables...), os.Stdout
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s %s: %w", strings.Join(variables, " "), strings.Join(argv, " "), err)
		}
		return nil
	}}
}

// checkVulnerabilities asks the Go vulnerability database about what the programs call. It fails where the database
// cannot be reached: nothing was checked then.
func checkVulnerabilities(ctx context.Context, c checkout) error {
	return c.run(ctx, tool("govulncheck", "./...")...)
}

// checkReachable fails on functions that no program and no test can reach.
func checkReachable(ctx context.Context, c checkout) error {
	out, err := c.output(ctx, tool("deadcode", "-test", "./...")...)
	if err != nil {
		return err
	}
	if dead := unreachable(out); len(dead) > 0 {
		return errors.New("remove what nothing reaches:\n" + strings.Join(dead, "\n"))
	}
	return nil
}

// unreachable are the lines of deadcode's that count. Examples without an output are compiled, and run by nobody.
func unreachable(out string) []string {
	return slices.DeleteFunc(strings.Split(out, "\n"), func(line string) bool {
		return line == "" || strings.Contains(line, "/example_test.go:")
	})
}
