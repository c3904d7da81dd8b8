package keyrings

import "testing"

// TestPlacesOfOneFilledByMany: of many who fill one emptied keyring at once one has its place, and the others give back
// no more than they took.
func TestPlacesOfOneFilledByMany(t *testing.T) {
	t.Parallel()
	for winner := range 3 {
		var p places
		p.emptiedOne()
		var done []func(bool)
		for range 50 {
			_, one, ok := p.take(500, 1000, false)
			if !ok {
				t.Fatal("no place is left")
			}
			done = append(done, one)
		}
		for i, one := range done {
			one(i == winner)
		}
		if held, _, ok := p.take(1000, 1000, true); ok {
			t.Errorf("won by %d: another is let in, as if %d were held of 1000", winner, held)
		}
	}
}
