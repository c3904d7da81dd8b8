// Package anniversary is Axis & Allies Anniversary Edition: six powers and China, two scenarios, technologies and national objectives.
//
// Paragraphs are cited as AA 4.2.2, as rulebook.tsv lists them.
//
// Where to find what: types.go names powers, units and technologies; scenario*.go load and check the data; state.go and groups.go hold a
// position; sequence.go runs rounds, turns and phases; research.go, purchase.go, movement*.go, transport.go, landing.go, combat*.go,
// casualties.go, submarine.go, amphibious.go, bombing.go, conquest.go, mobilize.go, income.go, objectives.go, china.go and victory.go are the
// chapters of the rulebook; evolve*.go fold events, legal*.go list commands, refer.go says what the ruleset is.
package anniversary
