// Package rulestest is what proves a ruleset: one battery that every ruleset passes by being listed, and tools for the
// tests that only its author can write.
//
//   - [Battery] plays random games of every scenario and looks closely at some of their decisions.
//   - [RunCases] runs rule cases that are data: a position, a command, the expected answer; perft counts too.
//   - [GoldenLogs] folds stored logs to the positions that they always folded to.
//   - [Proves] and [Coverage] tie tests to the paragraphs of the rulebook, and write the table of it.
//   - [FuzzCommands] and [FuzzDecoders] are the bodies of fuzz targets.
//
// A ruleset needs four lines for the first:
//
//	func TestBattery(t *testing.T) {
//		t.Parallel()
//		rulestest.Battery(t, toy.Ruleset(), rulestest.Config{Secrets: true})
//	}
//
// The battery is quick by default. RULESTEST_GAMES=1000 plays so many games of each scenario and choice of options,
// RULESTEST_SEED begins with another seed, RULESTEST_SAMPLE=1 looks closely at every decision. A failure names the
// scenario, the options and the seed, the commands so far and the position: the same seed plays the same game again.
package rulestest
