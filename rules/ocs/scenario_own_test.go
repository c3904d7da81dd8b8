package ocs

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

// The worked example of docs/howto/ocs-scenarios.md, put into the scenario that it changes, loads and is played to its
// end.
func TestScenarioOfOnesOwn(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/howto/ocs-scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(page), "```json\n")
	block, _, ended := strings.Cut(block, "```")
	if !found || !ended {
		t.Fatal("the page has no example")
	}
	members := map[string]json.RawMessage{}
	for _, d := range documents() {
		if d.ID == "crimea-ishun" {
			if err := json.Unmarshal(d.Data, &members); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := json.Unmarshal([]byte(block), &members); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	sc, faults := LoadScenario(data)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	g := &table{t: t, p: newPosition(sc, options{}), sc: sc}
	src, out := newSeeded(1), new(rules.Outcome)
	if err := rules.Start(referee{}, g.p, src, out); err != nil {
		t.Fatal(err)
	}
	g.pass(src, out, g.p.over)
	if end := g.p.Ending(); end == nil || !end.Winners.Has(Red) {
		t.Errorf("who only passes takes nothing, yet it ends with %v", end)
	}
}
