package greedy

import (
	"slices"
	"testing"

	"github.com/warledger/warledger/rules/anniversary"
)

func TestWhimsOfAGeneral(t *testing.T) {
	t.Parallel()
	plain := newGeneral(ferrying)(1).(*general)
	whim := func(number uint64) *general { return plain.Whim(number, 1).(*general) }
	a, again, b := whim(7), whim(7), whim(8)
	if a.temper != again.temper || !slices.Equal(a.tastes(50), again.tastes(50)) {
		t.Error("one number gives two whims")
	}
	if a.temper == b.temper || slices.Equal(a.tastes(50), b.tastes(50)) {
		t.Error("two numbers give one whim")
	}
	if plain.temper != ferrying || plain.tastes(50) != nil || whim(7).Fresh(1).(*general).temper != a.temper {
		t.Error("the general's own ways have changed, or are forgotten")
	}
	f := &field{held: []bool{false}, theatre: &theatre{
		value: []int{2}, city: []bool{false}, capital: []anniversary.Power{anniversary.NoPower},
	}}
	usual := f.prize(0)
	if f.taste = []float64{2}; f.prize(0) != 2*usual {
		t.Errorf("a space of %v is worth %v to a general who likes it twice as well", usual, f.prize(0))
	}
}
