package ocs

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// seas offers the scenario of the war at sea only.
type seas struct{ rules.Ruleset }

func (s seas) ScenarioDocuments() []rules.Document {
	for _, d := range s.Ruleset.ScenarioDocuments() {
		if d.ID == "proving-seas" {
			return []rules.Document{d}
		}
	}
	return nil
}

// Random games of the war at sea hold to the contract, and nobody sees what is hidden of the other side's ships.
func TestSeaBattery(t *testing.T) {
	rulestest.Proves(t, ruleset, "OCS 4.9a", "OCS 18.3c")
	log := voyages{kinds: map[string]int{}}
	rulestest.Battery(t, seas{ruleset}, rulestest.Config{
		Games: 1, Choices: 1, Commands: 20000, Sample: 60, Listed: 10, Secrets: true, Pick: log.pick, Hide: hideSea,
		Open: func(string) bool { return true },
	})
	t.Logf("%v", log.kinds)
	for _, kind := range []string{"sail", "naval-barrage", "aim", "embark", "land", "ship"} { // a landing rolls on the table
		if log.kinds[kind] == 0 {
			t.Errorf("no game came to %s", kind)
		}
	}
}

// voyages counts the kinds of what random games play.
type voyages struct {
	mu    sync.Mutex
	kinds map[string]int
}

// pick is brisk, but now and then takes any kind but the sailing of which there is so much, so that ships load, land and fire.
func (v *voyages) pick(g rules.Game, seat rules.Seat, list rules.Listing, below func(n uint32) uint32) int {
	choice := -1
	if below(4) == 0 {
		first := map[string][]int{}
		var kinds []string
		for i := range list.Len() {
			kind, _, _ := strings.Cut(g.FormatCommand(list.At(i)), " ")
			if !slices.Contains([]string{"embark", "disembark", "land", "ship", "beach-assault", "naval-barrage", "lst-port", "ashore"}, kind) {
				continue
			}
			if first[kind] == nil {
				kinds = append(kinds, kind)
			}
			first[kind] = append(first[kind], i)
		}
		if len(kinds) > 0 {
			some := first[kinds[below(uint32(len(kinds)))]]
			choice = some[below(uint32(len(some)))]
		}
	}
	if choice < 0 {
		choice = brisk(g, seat, list, below)
	}
	kind, _, _ := strings.Cut(g.FormatCommand(list.At(choice)), " ")
	v.mu.Lock()
	v.kinds[kind]++
	v.mu.Unlock()
	return choice
}

// hideSea is hide, and changes of ships that lie under others and of what lies under the top air unit.
func hideSea(g rules.Game, v rules.Viewer) []rules.Game {
	return append(hide(g, v), hidden(g, v, otherWings, otherFleet)...)
}

// otherFleet changes the damage of ships that are not seen, while no procedure is under way.
func otherFleet(p *Position, seat rules.Seat) bool {
	some := false
	if len(p.frames) > 0 {
		return false
	}
	for _, u := range p.navy(seat) {
		if s := p.units[u]; p.topShip(seat, s.place) != u && !p.isCraft(u) {
			s.lost = 1 - s.lost
			p.set(u, s)
			some = true
		}
	}
	return some
}
