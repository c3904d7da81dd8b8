package scenario

import (
	"os"
	"testing"

	"github.com/warledger/warledger/rules/downfall/internal/flower"
)

// document is the document of the scenario that comes with the ruleset.
func document(t testing.TB) []byte {
	t.Helper()
	doc, err := os.ReadFile("../scenarios/olympic.json")
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func olympic(t testing.TB) *Scenario {
	t.Helper()
	sc, faults := Read(document(t))
	if len(faults) > 0 {
		t.Fatalf("olympic: %v", faults)
	}
	return sc
}

// flowerScenario loads the fixture after the edits.
func flowerScenario(t testing.TB, edits ...func(*flower.Flower)) *Scenario {
	t.Helper()
	f := flower.New()
	for _, edit := range edits {
		edit(f)
	}
	sc, faults := ReadMessage(f.Doc)
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
