package ocs

import (
	"fmt"
	"math/bits"
	"sync"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// pairings are choices of options in which every two options meet in each of the four ways: a row for each game, with
// the options that are on. All are off in the first row; in the others each option is on in a set of its own, of a size
// at which two sets always overlap and differ.
func pairings(options int) [][]bool {
	rows := 4
	for ; len(sets(rows-1)) < options; rows++ {
	}
	table := make([][]bool, rows)
	for r := range table {
		table[r] = make([]bool, options)
		for o := range options {
			table[r][o] = r > 0 && sets(rows - 1)[o]&(1<<(r-1)) != 0
		}
	}
	return table
}

// sets are the subsets of n things that have more than half of them, as few as that allows: any two
// overlap, none holds another.
func sets(n int) (list []uint) {
	for s := range uint(1) << n {
		if bits.OnesCount(s) == n/2+1 {
			list = append(list, s)
		}
	}
	return list
}

// Games with any two options on, off, or one of them, hold what every game holds.
func TestOptionPairs(t *testing.T) {
	t.Parallel()
	table := pairings(len(optionList))
	for a := range optionList {
		for b := range a {
			var met [4]bool
			for _, row := range table {
				n := 0
				if row[a] {
					n++
				}
				if row[b] {
					n += 2
				}
				met[n] = true
			}
			if met != [4]bool{true, true, true, true} {
				t.Fatalf("%s and %s meet in %v only", optionList[a].ID, optionList[b].ID, met)
			}
		}
	}
	var mu sync.Mutex
	played := map[string]int{}
	t.Run("games", func(t *testing.T) { playPairings(t, table, &mu, played) })
	for _, kind := range []string{"scout", "fuel-independents", "godzilla", "godzilla-answer", "attack", "barrage",
		"construct"} {
		if played[kind] == 0 {
			t.Errorf("no %s was played", kind)
		}
	}
}

// playPairings plays a game for each row, on one scenario and the other, and counts what is played.
func playPairings(t *testing.T, table [][]bool, mu *sync.Mutex, played map[string]int) {
	for i, row := range table {
		given := map[string]string{}
		for o, on := range row {
			given[optionList[o].ID] = fmt.Sprint(on)
		}
		options, err := about.NewOptions(given)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			sc := shipped(t, [...]string{"crimea-ishun", "proving-ground"}[i%2])
			stats, err := rulestest.CheckGame(ruleset, sc, options, uint64(i), rulestest.Config{
				Commands: 20000, Sample: 300, Listed: 6, Secrets: true, Hide: hideUnits, Parted: dumpsDiffer,
				Pick: tellingOptions,
				Open: func(string) bool { return true },
			})
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for kind, n := range stats.Played {
				played[kind] += n
			}
		})
	}
}

// hideUnits is hide but for supply: so many games come to one in which a dump is used up to the
// last token, which shows.
func hideUnits(g rules.Game, v rules.Viewer) []rules.Game {
	return hidden(g, v, otherStates, otherUnder, otherMarkers)
}

// tellingOptions plays like brisk, but takes what only options allow as often as it comes up.
func tellingOptions(g rules.Game, seat rules.Seat, list rules.Listing, below func(n uint32) uint32) int {
	var rare []int
	for i := range list.Len() {
		switch g.KindOf(list.At(i)) {
		case "scout", "godzilla", "raid", "evade", "fuel-independents":
			rare = append(rare, i)
		}
	}
	if len(rare) > 0 && below(4) == 0 {
		return rare[below(uint32(len(rare)))]
	}
	return brisk(g, seat, list, below)
}
