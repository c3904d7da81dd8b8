package downfall

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
)

// crowd adds reserve divisions until there are so many units.
func crowd(n int) func(*flower.Flower) {
	return func(f *flower.Flower) {
		for i := len(f.Doc.Units); i < n; i++ {
			u := proto.Clone(f.Unit("R/6")).(*downfallv1.ScenarioUnit)
			u.Id = fmt.Sprintf("R/x%d", i)
			f.Doc.Units = append(f.Doc.Units, u)
		}
	}
}

// A scenario may have as many units as fit into a word, and the last of them plays like the
// others; one more is a fault.
func TestMostUnits(t *testing.T) {
	t.Parallel()
	sc := flowerScenario(t, crowd(MaxUnits))
	if len(sc.Units) != MaxUnits {
		t.Fatalf("%d units", len(sc.Units))
	}
	p := newPosition(sc, 0)
	if err := rules.Start(referee{}, p, dice.NewSeeded(1), new(rules.Outcome)); err != nil {
		t.Fatal(err)
	}
	last := Unit(MaxUnits - 1)
	p.put(last, 0)
	if !p.at[0].Has(last) || p.onMap.Len() == 0 || p.id(last) != "R/x63" {
		t.Errorf("the last unit is %s and not where it was put", p.id(last))
	}
	f := flower.New()
	crowd(MaxUnits + 1)(f)
	if _, faults := fromMessage(f.Doc); !faults.Fatal() || faults.Error() != "units: 65 entries, expected 1 to 64" {
		t.Errorf("faults %v", faults)
	}
}
