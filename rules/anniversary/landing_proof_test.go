package anniversary

import "testing"

// TestProofsHold: what a list remembers of landing is what would be found out anew, for every power, space and ship.
func TestProofsHold(t *testing.T) {
	t.Parallel()
	for seed := range uint64(16) {
		p, _, _ := playRandom(t, []string{"1941", "1942"}[seed%2], seed, 40+int(seed)*93, nil)
		var known proof
		for w := Germany; w < China; w++ {
			for s := range Space(p.sc.Len()) {
				var r rescue
				r.gather(p, w, nil)
				r.begin(s)
				if got := p.decks(w, s, &known); got != r.zones {
					t.Fatalf("%s, %s: remembered %v, found %v", w.ID(), p.sc.SpaceID(s), got, r.zones)
				}
			}
			for _, g := range p.groups {
				if u := g.Unit(); u == Carrier || u == Fighter {
					list := []change{{before: g.Key, n: 1}}
					if got, want := p.spoils(w, list, &known),
						p.saved(w, list, false) < p.savedNow(w, &proof{}); got != want {
						t.Fatalf("%s without a %s in %s: remembered %v, found %v",
							w.ID(), u.ID(), p.sc.SpaceID(g.At()), got, want)
					}
				}
			}
		}
	}
}
