package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// atSea is the proving ground without pieces, with ships and air units of a case. A ship is a line "b-ca blue cruiser
// 14/7 4 2/1 3 20/10 single": id, seat, kind, barrage of both sides, range, flak, defence, MP; then "single", "slow",
// "planes=3", "lift=4". Landing craft are "b-lc blue lc 8 1 0": id, seat, kind, MP, flak, defence. Air units are as on
// inSkies; "on=b-cv" gives one a carrier.
func atSea(t testing.TB, ships, planes []string, counters ...string) *table {
	t.Helper()
	doc := document(t, "proving-ground")
	for _, line := range ships {
		w := strings.Fields(line)
		if kind, ok := ocsv1.CraftKind_value["CRAFT_KIND_"+strings.ToUpper(w[2])]; ok {
			craft := &ocsv1.LandingCraft{
				Id: w[0], Name: &ocsv1.Words{En: w[0]}, Seat: w[1], Kind: ocsv1.CraftKind(kind),
				Movement: number(t, w[3]), Flak: number(t, w[4]), Defence: number(t, w[5]),
			}
			if len(w) > 6 {
				craft.Ashore = strings.TrimPrefix(w[6], "ashore=")
			}
			doc.Counters.LandingCraft = append(doc.Counters.LandingCraft, craft)
			continue
		}
		doc.Counters.Ships = append(doc.Counters.Ships, shipCounter(t, w))
	}
	for _, line := range planes {
		w := strings.Fields(line)
		carrier := ""
		if i := slices.IndexFunc(w, func(s string) bool { return strings.HasPrefix(s, "on=") }); i >= 0 {
			carrier = w[i][len("on="):]
			w = slices.Delete(w, i, i+1)
		}
		a := airCounter(t, strings.Join(w, " "))
		a.Carrier = carrier
		doc.Counters.Air = append(doc.Counters.Air, a)
	}
	for _, line := range counters {
		doc.Counters.Units = append(doc.Counters.Units, counter(t, line))
	}
	doc.Sides[0].HipShoot = []string{"bl"}
	sc := load(t, doc)
	sc.Sails, sc.Flies = true, len(planes) > 0
	g := &table{t: t, p: newPosition(sc, options{}), sc: sc}
	return g.inTurn(1)
}

func shipCounter(t testing.TB, w []string) *ocsv1.Ship {
	t.Helper()
	if len(w) < 8 {
		t.Fatalf("ship %q: expected id, seat, kind, barrage, range, flak, defence and MP", strings.Join(w, " "))
	}
	s := &ocsv1.Ship{
		Id: w[0], Name: &ocsv1.Words{En: w[0]}, Seat: w[1], Kind: w[2],
		Nationality: map[string]string{"blue": "bl", "red": "rd"}[w[1]],
		Full:        &ocsv1.ShipFace{Range: number(t, w[4]), Defence: number(t, w[6])},
		Reduced:     &ocsv1.ShipFace{Range: number(t, w[4]), Defence: number(t, w[6])},
	}
	pair := func(text string, full, reduced *uint32) {
		a, b, _ := strings.Cut(text, "/")
		*full, *reduced = number(t, a), number(t, b)
	}
	pair(w[3], &s.Full.Barrage, &s.Reduced.Barrage)
	pair(w[5], &s.Full.Flak, &s.Reduced.Flak)
	pair(w[7], &s.Full.Movement, &s.Reduced.Movement)
	for _, extra := range w[8:] {
		switch key, value, _ := strings.Cut(extra, "="); key {
		case "single":
			s.Single = true
		case "slow":
			s.Slow = true
		case "planes":
			s.AirCapacity = number(t, value)
		case "lift":
			s.LiftT = number(t, value)
		default:
			t.Fatalf("ship %s: %q", w[0], extra)
		}
	}
	return s
}

// fleet are the ships of a seat in a place, by id.
func (g *table) fleet(seat string, at string) string {
	g.t.Helper()
	return strings.Join(g.p.ids(g.p.ships(g.p.seatOf(seat), g.place(at))), " ")
}
