package ocs

import "github.com/warledger/warledger/rules"

// tables are what is worked out of a scenario once and shared by all positions. They never change.
type tables struct {
	// ways by kind, ground condition and type of MP.
	ways [numWayKinds][][numMoveTypes]ways
	// hqs, by seat, are the units that are HQs.
	hqs [numSeats][]Unit
	// generic are the counters of which there may be several pieces, by side: pax, eq.
	pax, eq [numSeats]uint16
	// digests of the map, in English and Japanese.
	digests [2]string
}

// digest is the digest of the map in a language.
func (t *tables) digest(lang rules.Lang) string {
	if lang == rules.Japanese {
		return t.digests[1]
	}
	return t.digests[0]
}

// newTables works them out.
func newTables(sc *Scenario) *tables {
	t := &tables{}
	for kind := range numWayKinds {
		t.ways[kind] = make([][numMoveTypes]ways, len(sc.Grounds))
		for g := range sc.Grounds {
			for mp := range numMoveTypes {
				t.ways[kind][g][mp] = newWays(sc, kind, g, mp)
			}
		}
	}
	for u := range sc.Fixed {
		if c := &sc.Counters[u]; c.HQ {
			t.hqs[c.Seat] = append(t.hqs[c.Seat], Unit(u))
		}
	}
	for i := range sc.Counters {
		switch c := &sc.Counters[i]; c.Kind {
		case Pax:
			t.pax[c.Seat] = uint16(i)
		case Eq:
			t.eq[c.Seat] = uint16(i)
		}
	}
	t.digests = [2]string{boardMap(sc, rules.English).GetDigest(), boardMap(sc, rules.Japanese).GetDigest()}
	return t
}
