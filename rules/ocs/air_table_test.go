package ocs

import (
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// inSkies is the proving ground without pieces, with air units of a case: "b-1 blue fighter 4/3 2/1 22 cap=2,1": id,
// seat, types joined by +, ratings and barrage of both sides (brackets as printed), range; of a glider point "b-g blue
// glider - - -". Blue may hip shoot.
func inSkies(t testing.TB, planes []string, counters ...string) *table {
	t.Helper()
	doc := document(t, "proving-ground")
	for _, line := range counters {
		doc.Counters.Units = append(doc.Counters.Units, counter(t, line))
	}
	for _, line := range planes {
		doc.Counters.Air = append(doc.Counters.Air, airCounter(t, line))
	}
	doc.Sides[0].HipShoot = []string{"bl"}
	doc.Sides[1].DropModifier = -1
	sc := load(t, doc)
	g := &table{t: t, p: newPosition(sc, options{}), sc: sc}
	return g.inTurn(1)
}

func airCounter(t testing.TB, line string) *ocsv1.AirUnit {
	t.Helper()
	w := strings.Fields(line)
	if len(w) < 6 {
		t.Fatalf("air unit %q: expected id, seat, types, ratings, barrage and range", line)
	}
	a := &ocsv1.AirUnit{
		Id: w[0], Name: &ocsv1.Words{En: w[0]}, Seat: w[1],
		Nationality: map[string]string{"blue": "bl", "red": "rd"}[w[1]],
	}
	for _, name := range strings.Split(w[2], "+") {
		a.Types = append(a.Types, ocsv1.AirType(ocsv1.AirType_value["AIR_TYPE_"+strings.ToUpper(name)]))
	}
	if w[2] == "glider" {
		return a
	}
	a.Full, a.Reduced = &ocsv1.AirFace{Range: number(t, w[5])}, &ocsv1.AirFace{Range: number(t, w[5])}
	sides := [...]*ocsv1.AirFace{a.Full, a.Reduced}
	for i, s := range strings.Split(w[3], "/") {
		digits := strings.Trim(s, "()")
		sides[i].Rating, sides[i].Bracketed = number(t, digits), digits != s
	}
	for i, s := range strings.Split(w[4], "/") {
		digits := strings.Trim(s, "()")
		sides[i].Barrage, sides[i].ShipsOnly = number(t, digits), digits != s
	}
	for _, extra := range w[6:] {
		if extra == "tow" {
			a.GliderTow = true
			continue
		}
		for i, s := range strings.Split(strings.TrimPrefix(extra, "cap="), ",") {
			sides[i].Capacity = s
		}
	}
	return a
}

// told finds the last fact of a kind among the events of an outcome.
func told[T any](t testing.TB, out *rules.Outcome) (last T) {
	t.Helper()
	found := false
	for _, e := range out.Events {
		if k, ok := e.Event.(*event).GetFact().(T); ok {
			last, found = k, true
		}
	}
	if !found {
		t.Fatalf("no %T was told", last)
	}
	return last
}
