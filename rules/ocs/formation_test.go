package ocs

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// marker is what a viewer sees of the formation marker in a place: "combat fuelled 2" for a mode, the side and the
// units known; empty for no marker.
func (g *table) marker(v rules.Viewer, formation, at string) string {
	for _, m := range g.p.view(v).GetFormationMarkers() {
		if m.GetFormation() != formation || m.GetAt() != at {
			continue
		}
		words := []string{"mixed"}
		if m.GetMarker() != ocsv1.Marker_MARKER_UNSPECIFIED {
			words[0] = strings.TrimPrefix(modeText(Marker(m.GetMarker()), Face(m.GetFace())), "@mode.")
		}
		if m.GetFuelled() {
			words = append(words, "fuelled")
		}
		return strings.Join(append(words, m.GetUnits()...), " ")
	}
	return ""
}

// A formation marker stands for units of one formation in its hex, and is never a dummy. Joining and leaving it is
// free; it moves, stacks and is lost with its units, and shows the mode that they share.
func TestFormationMarker(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 3.6f", "OCS 13.7")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg").
		put("09.02", "bl-31-tk/fuel=lasting bl-33-mech/move bl-3-trk x-1").
		put("09.04", "bl-34-ac").put("12.07", "rd-101-tk").segment(SegMovement, Blue)
	red := rules.SeatViewer(Red)
	g.refused("OCS 13.7", "group x-1")
	g.refused("OCS 13.7", "group bl-31-tk,x-1")
	g.refused("OCS 13.7", "group bl-31-tk,bl-34-ac")
	g.refused("OCS 13.7", "group rd-101-tk")
	g.refused("OCS 13.7", "group bl-32-tk") // not on the map
	g.refused("OCS 13.7", "ungroup bl-31-tk")
	g.refused("", "group")
	g.refused("", "group bl-31-tk,bl-31-tk")
	if got := g.lists("group"); !slices.Equal(got, []string{
		"group bl-31-tk", "group bl-33-mech", "group bl-3-trk", "group bl-31-tk,bl-33-mech,bl-3-trk", "group bl-34-ac",
	}) {
		t.Errorf("it lists %q", got)
	}
	for f, want := range map[rules.Filter]bool{{}: false, {Piece: "bl-34-ac"}: true, {Kind: "group"}: true,
		{Space: "09.04"}: false} { // listed only when asked for; order-free
		some := false
		g.p.Legal(Blue, f, func(c Command) bool { some = some || c.Kind == KindGroup; return true })
		if some != want {
			t.Errorf("%+v: it lists grouping: %t", f, some)
		}
	}
	if got := g.marker(red, "bl-3-arm", "09.02"); got != "" {
		t.Errorf("before, red sees a marker: %s", got)
	}
	out := g.do("group bl-31-tk,bl-33-mech")
	if got, want := g.told(out), "I/31 Tank, 33 Mech: under the formation marker of 3 Armoured Division. "+
		"Formation marker of 3 Armoured Division in 09.02: several modes, fuelled."; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if !out.Revealed {
		t.Error("the formation becomes known, and the record reveals nothing")
	}
	g.want("spent bl-31-tk", "0", "spent bl-33-mech", "0", "mark bl-31-tk grouped", true, "place bl-31-tk", "09.02")
	g.refused("OCS 13.7", "group bl-31-tk")
	if got := g.lists("ungroup"); !slices.Equal(got,
		[]string{"ungroup bl-31-tk", "ungroup bl-33-mech", "ungroup bl-31-tk,bl-33-mech"}) {
		t.Errorf("it lists %q", got)
	}
	// Everyone sees the marker; what is under it only its owner.
	if got := g.marker(red, "bl-3-arm", "09.02"); got != "mixed fuelled" {
		t.Errorf("red sees %q", got)
	}
	if got := g.marker(rules.SeatViewer(Blue), "bl-3-arm", "09.02"); got != "mixed fuelled bl-31-tk bl-33-mech" {
		t.Errorf("blue sees %q", got)
	}
	for _, v := range []rules.Viewer{red, rules.SeatViewer(Blue), rules.Spectator} {
		found := 0
		for _, piece := range g.p.Board(v, rules.English).GetPieces() {
			if piece.GetKind() == "formation-marker" && piece.GetPlace() == "09.02" &&
				slices.Equal(piece.GetMarks(), []string{"fuel"}) {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%+v sees %d markers on the board", v, found)
		}
	}
	// The top unit is seen as ever, and all count as stacked (OCS 4.9a).
	if got := seen(g.p.view(red), "09.02"); got != "bl-31-tk" && got != "x-1" {
		t.Errorf("red sees %s", got)
	}
	if got := g.p.stacked(Blue, g.place("09.02")); got != 2*oneRE+oneRE/2 {
		t.Errorf("%s REs are stacked", formatRE(got))
	}
	out = g.do("ungroup bl-31-tk")
	if got := g.marker(red, "bl-3-arm", "09.02"); got != "move" {
		t.Errorf("red sees %q", got)
	}
	if out.Revealed {
		t.Error("a marker that was seen shows another mode, and the record reveals something")
	}
	out = g.do("ungroup bl-33-mech") // none is left to stand for
	if got := g.marker(red, "bl-3-arm", "09.02"); got != "" ||
		!strings.Contains(g.told(out), "No formation marker of 3 Armoured Division is left in 09.02.") {
		t.Errorf("red sees %q, told %q", got, g.told(out))
	}
}

// A marker moves as its units do, and may leave some behind under another; what is lost is no longer under it.
func TestFormationMarkerMoves(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.7")
	g := onGround(t, "x-1 blue regiment other infantry 5-4-3leg 2-4-8leg").
		put("09.02", "bl-31-tk/fuel=lasting bl-32-tk/fuel=lasting bl-34-ac/fuel=lasting x-1").put("14.07", "rd-101-tk").
		segment(SegMovement, Blue)
	red := rules.SeatViewer(Red)
	g.do("group bl-31-tk,bl-32-tk")
	if got := g.lists("move"); !slices.Contains(got, "move bl-31-tk,bl-32-tk 09.03") {
		t.Error("the marker's move is not listed")
	}
	out := g.do("move bl-31-tk,bl-32-tk 09.03>09.04")
	if got := g.told(out); !strings.Contains(got, "No formation marker of 3 Armoured Division is left in 09.02.") ||
		!strings.Contains(got, "Formation marker of 3 Armoured Division in 09.04: Combat mode, fuelled.") {
		t.Errorf("told %q", got)
	}
	if out = g.do("ungroup bl-31-tk"); out.Revealed {
		t.Error("a unit that was seen leaves the marker, and the record reveals something")
	}
	g.do("group bl-31-tk")
	g.do("move bl-31-tk 09.05")
	if a, b := g.marker(red, "bl-3-arm", "09.04"), g.marker(red, "bl-3-arm", "09.05"); a != "combat fuelled" ||
		b != "combat fuelled" {
		t.Errorf("red sees %q and %q", a, b)
	}
	c := g.p.changed()
	c.eliminate(g.unit("bl-32-tk"))
	g.change(c).want("mark bl-32-tk grouped", false)
	if got := g.marker(red, "bl-3-arm", "09.04"); got != "" {
		t.Errorf("red sees %q", got)
	}
	g.segment(SegCleanUp, Blue) // its fuelled side is turned down (OCS 12.5d)
	if got := g.marker(red, "bl-3-arm", "09.05"); got != "combat" {
		t.Errorf("red sees %q", got)
	}
	p, err := parsePosition(g.sc, g.p.format())
	if err != nil || p.format() != g.p.format() {
		t.Errorf("the notation loses something: %v", err)
	}
}

// How many units are under a marker, and which, the opponent does not learn: views, boards and what
// is told are the same.
func TestFormationMarkerHides(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.7", "OCS 4.9a")
	red := rules.SeatViewer(Red)
	sight := func(under string) []byte {
		g := onGround(t).put("09.02", "bl-31-tk/fuel=lasting bl-32-tk/fuel=lasting bl-35-spa/fuel=lasting").
			segment(SegMovement, Blue)
		var b bytes.Buffer
		tell := func(out *rules.Outcome) {
			for _, e := range out.Events {
				if red.MaySee(e.Audience) {
					b.WriteString(e.Event.(*event).String())
				}
			}
		}
		tell(g.do("group " + under))
		tell(g.do("move bl-31-tk,bl-32-tk,bl-35-spa 09.03"))
		b.WriteString(g.p.view(red).String())
		b.WriteString(g.p.Board(red, rules.English).String())
		return b.Bytes()
	}
	one := sight("bl-31-tk")
	for _, under := range []string{"bl-32-tk", "bl-31-tk,bl-32-tk", "bl-31-tk,bl-32-tk,bl-35-spa"} {
		if other := sight(under); !bytes.Equal(one, other) {
			t.Errorf("red sees with %s under the marker\n%s\nand with bl-31-tk\n%s", under, other, one)
		}
	}
}

// All of a formation trace and are fuelled through one HQ or source, or else only a part of it does
// (OCS 12.6f, OCS 12.5c-A).
func TestFormationSupply(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.7a", "OCS 13.7a-i", "OCS 13.7a-ii")
	const of = " formation=bl-3-arm"
	lay := func(of string) *table {
		return onRow(t, 40, []int{0, 40}, nil, nil, tank+of,
			"x-two blue battalion armor armor 5-4-8track 2-4-14track"+of, hq57,
			"x-58 blue corps other headquarters 5-0-2truck/t10truck 1-0-12truck/t5truck hq").
			put(at(12), "x-tank").put(at(6), "x-57").put(at(30), "x-two").put(at(35), "x-58").dump(at(33), Blue, 4).
			dump(at(6), Blue, 8)
	}
	g := lay("").segment(SegSupply, Blue) // two independent units trace through an HQ each
	g.all("done", "done").want("mark x-tank out-of-supply", false, "mark x-two out-of-supply", false)
	g = lay(of).segment(SegSupply, Blue)
	g.do("done")
	g.refused("OCS 12.6f", "done")
	g.do("provide formation=bl-3-arm unit=x-57")
	g.want("mark x-tank out-of-supply", false)
	eats := g.p.Clone()
	g.do("feed x-two" + pays(at(33), "1")) // the rest eats
	g.do("done")
	g.want("mark x-tank out-of-supply", false, "mark x-two out-of-supply", false, "ground "+at(33)+" blue", 3)
	g.p = eats
	g.do("done", 1, 1) // or is out of supply
	g.want("mark x-tank out-of-supply", false)
	if g.p.units[g.unit("x-two")].place.onMap() {
		g.want("mark x-two out-of-supply", true)
	}

	g = lay(of).segment(SegMovement, Blue)
	// one HQ or one dump
	g.refused("OCS 12.5c-A",
		"fuel-formation formation=bl-3-arm lines=[at="+at(6)+";count=2;by=x-57],[at="+at(33)+";count=2]")
	g.do("fuel-formation formation=bl-3-arm lines=[at=" + at(6) + ";count=4;by=x-57]")
	g.want("fuel x-tank", "lasting", "fuel x-two", "none", "ground "+at(6)+" blue", 4)
	g.do("fuel x-two lines=[at=" + at(33) + ";count=1]") // the rest pays for itself
	g.want("fuel x-two", "phase", "ground "+at(33)+" blue", 3)
}
