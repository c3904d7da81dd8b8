package downfall

import (
	"fmt"
	"slices"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/hex"
)

// flowerScenario loads the fixture after the edits.
func flowerScenario(t testing.TB, edits ...func(*flower.Flower)) *Scenario {
	t.Helper()
	f := flower.New()
	for _, edit := range edits {
		edit(f)
	}
	sc, faults := fromMessage(f.Doc)
	if faults.Fatal() {
		t.Fatalf("flower does not load: %v", faults)
	}
	return sc
}

// at is the hex with a name of the flower or a printed id.
func at(t testing.TB, sc *Scenario, name string) Hex {
	t.Helper()
	h, ok := sc.HexByID(flower.ID(name))
	if !ok {
		t.Fatalf("no hex %q", name)
	}
	return h
}

func TestFlower(t *testing.T) {
	t.Parallel()
	sc := flowerScenario(t)
	next := func(i int) int { return i%hex.NumDirs + 1 }
	prev := func(i int) int { return (i+4)%hex.NumDirs + 1 }
	want := map[string][]string{"C": {"N1", "N2", "N3", "N4", "N5", "N6"}}
	for i := 1; i <= hex.NumDirs; i++ {
		want[fmt.Sprintf("N%d", i)] = []string{
			"C", fmt.Sprintf("N%d", prev(i)), fmt.Sprintf("N%d", next(i)), fmt.Sprintf("K%d", i),
			fmt.Sprintf("E%d", prev(i)), fmt.Sprintf("E%d", i),
		}
		want[fmt.Sprintf("K%d", i)] = []string{fmt.Sprintf("N%d", i), fmt.Sprintf("E%d", prev(i)),
			fmt.Sprintf("E%d", i)}
		want[fmt.Sprintf("E%d", i)] = []string{fmt.Sprintf("N%d", i), fmt.Sprintf("N%d", next(i)),
			fmt.Sprintf("K%d", i), fmt.Sprintf("K%d", next(i))}
	}
	for name, neighbors := range want {
		var got, expect []Hex
		for _, n := range sc.Near[at(t, sc, name)] {
			if n != NoHex {
				got = append(got, n)
			}
		}
		for _, n := range neighbors {
			expect = append(expect, at(t, sc, n))
		}
		slices.Sort(got)
		slices.Sort(expect)
		if !slices.Equal(got, expect) {
			t.Errorf("%s has neighbours %v, want %v", name, got, expect)
		}
	}
	if n := sc.Map.Distance(at(t, sc, "C"), at(t, sc, flower.DepotLanding)); n < 15 {
		t.Errorf("the depot is %d hexes away, too near", n)
	}
}

// fromMessage is LoadScenario for a document that is decoded already.
func fromMessage(msg *downfallv1.Scenario) (*Scenario, rules.Faults) {
	return prepare(scenario.ReadMessage(msg))
}

func olympic(t testing.TB) *Scenario {
	t.Helper()
	sc, faults := LoadScenario(olympicDoc)
	if len(faults) > 0 {
		t.Fatalf("olympic: %v", faults)
	}
	return sc
}

// faultLine is a fault as "path: what", a warning with "warning" before it.
func faultLine(f rules.Fault) string {
	line := f.Path + ": " + f.What
	if f.Warning {
		line = "warning " + line
	}
	return line
}
