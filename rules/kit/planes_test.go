package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

func TestColumns(t *testing.T) {
	t.Parallel()
	got := Columns(`
		steps steps of the unit there
		turn turn of the game
	`)
	want := []rules.Column{{ID: "steps", Note: "steps of the unit there"}, {ID: "turn", Note: "turn of the game"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPlanesKeepTheirBounds(t *testing.T) {
	t.Parallel()
	values := make([]int16, 6)
	p := NewPlanes(values, 3)
	p.Set(0, 1, 1<<20)
	p.Add(0, 1, 1)
	p.Add(1, 0, 32_000)
	p.Add(1, 0, 32_000)
	p.Set(1, 1, -1<<20)
	p.Raise(1, 2, 4)
	p.Raise(1, 2, 3)
	if diff := cmp.Diff([]int16{0, 32767, 0, 32767, -32768, 4}, values); diff != "" {
		t.Error(diff)
	}
}
