package anniversary

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

// A phase ends by name, and a combat begins with what each power fights with.
func TestRecount(t *testing.T) {
	t.Parallel()
	g := eastPoland(t, "3 infantry 1 tank", "2 infantry antiaircraft-gun")
	before := g.p.Clone()
	var got []string
	for _, e := range g.do("end", 6, 6, 6, 6, 6, 6).Events {
		told, plain := referee{}.Recount(before, e.Event.(*event)), referee{}.Narrate(g.sc, e.Event.(*event))
		if told.Key != plain.Key {
			got = append(got, catalogue.Format(rules.English, told))
		}
		if err := (referee{}).Evolve(before, e.Event.(*event)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"Germany ends Combat Move.",
		"Combat in East Poland: 3 infantry and 1 tank (Germany) against " +
			"2 infantry and 1 antiaircraft gun (Soviet Union)."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
