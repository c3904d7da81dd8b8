package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// beginning is the set-up of a document.
func beginning(t *testing.T, doc *ocsv1.Scenario) *table {
	t.Helper()
	sc := load(t, doc)
	return (&table{t: t, p: newPosition(sc, options{}), sc: sc}).settle()
}

// A stack listed within some hexes of a place may be spread over them, as far as units could go there and stack.
func TestSpreadStacks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-IV-A", "OCS Intro-IV-E", "OCS Intro-IV-H", "OCS Intro-IV-I")
	doc := document(t, "crimea-ishun")
	for _, s := range doc.Setup {
		if s.At == "17.23" || s.At == "18.24" {
			s.Within = 2
		}
	}
	g := beginning(t, doc)
	g.refused("OCS Intro-IV-A", "place so-9-rc 18.21")   // not listed within anything
	g.refused("OCS Intro-IV-A", "place so-157-rd 17.20") // three hexes away
	g.refused("OCS Intro-IV-I", "place so-157-rd 17.23") // it is there
	g.refused("OCS Intro-IV-I", "place so-157-rd 17.25") // the enemy is there
	if got := len(g.lists("place")); got < 10 {
		t.Errorf("%d places are listed", got)
	}
	g.do("place so-157-rd 17.22")
	g.want("place so-157-rd", "17.22", "owner 17.22", "red", "place so-5-hart", "17.23")
	g.do("place so-157-rd 18.22") // from where it is listed, not from where it was put
	g.do("place so-5-hart 17.22")
	doc = document(t, "crimea-ishun")
	doc.Constants = &ocsv1.Constants{StackingRe: 4}
	for _, s := range doc.Setup {
		s.Within = 3
	}
	g = beginning(t, doc)
	g.all("place so-106-rd 17.23", "place so-42-cd 17.23")
	g.refused("OCS Intro-IV-E", "end")
	g.all("place so-42-cd 18.23", "place so-106-rd 18.23", "end")
}

// Units that began next to attack-capable enemies in Reserve or Strat mode go back to their owner
// when both sides are done.
func TestCorrectModes(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-IV-B")
	g := begun(t, "crimea-ishun")
	g.do("mode so-271-rd marker=reserve face=combat") // 17.24, next to 17.25
	g.do("mode so-42-cd marker=strat face=move")      // far away
	g.all("end", "mode ge-22-id marker=strat face=move", "end")
	g.want("segment", "setup-second", "asks", "set-up", "frame", "correction")
	if g.asked() != Blue {
		t.Fatalf("%s is asked first", seatID(g.asked()))
	}
	g.refused("OCS Intro-IV-B", "end")
	g.refused("OCS Intro-IV-B", "mode ge-22-id marker=reserve face=combat") // no better
	g.refused("OCS Intro-IV-B", "mode ge-73-id marker=none face=move")      // not returned
	g.refused("OCS Intro-IV-B", "stow truck-blue.1 tokens=0")
	if got := len(g.lists("mode")); got != 2 {
		t.Errorf("%d corrections are listed, expected Combat and Move mode of one unit", got)
	}
	g.do("mode ge-22-id marker=none face=combat") // now it is attack-capable, and next to the unit in Reserve
	g.want("frame", "correction")
	if g.asked() != Red {
		t.Fatalf("%s is asked then", seatID(g.asked()))
	}
	g.do("mode so-271-rd marker=none face=combat", 3)
	g.want("turn", 1, "mode so-42-cd", "strat")
}

// Supply that stands with transports may begin aboard or not; what an organic truck has aboard can't be put down.
func TestStow(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-IV-C", "OCS Intro-IV-D")
	g := begun(t, "proving-ground")
	g.do("end")
	g.want("load truck-blue.1", 8, "ground 05.07 blue", 43)
	g.refused("OCS 13.2c", "stow truck-blue.1 tokens=21")
	g.refused("OCS Intro-IV-C", "stow bl-12-rr tokens=1")
	g.refused("OCS Intro-IV-D", "stow truck-blue.1 tokens=8")
	g.refused("OCS Intro-IV-D", "stow bl-3-trk tokens=4")
	g.refused("OCS Intro-IV-C", "stow bl-3-trk tokens=16") // no supply stands with it
	g.refused("OCS 12.7", "stow truck-blue.2 tokens=1")
	g.do("stow truck-blue.1 tokens=20")
	g.want("load truck-blue.1", 20, "ground 05.07 blue", 31)
	g.do("stow truck-blue.1 tokens=0")
	g.want("load truck-blue.1", 0, "ground 05.07 blue", 51)
}
