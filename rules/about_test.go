package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

func options() *rules.About {
	return &rules.About{Name: "test", Options: []rules.Option{
		rules.Flag("fog", "T 1"),
		{ID: "turns", Values: []string{"12", "6"}},
	}}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	o, err := options().NewOptions(map[string]string{"fog": "true"})
	if err != nil {
		t.Fatal(err)
	}
	if !o.On("fog") || o.On("turns") || o.On("nix") || o.Int("turns") != 12 || o.Int("fog") != 0 ||
		o.Value("turns") != "12" {
		t.Errorf("got %v", o.Map())
	}
	m := o.Map()
	m["fog"] = "false"
	if !o.On("fog") {
		t.Error("the copy of the values is not a copy")
	}
	if diff := cmp.Diff(map[string]string{"fog": "true", "turns": "12"}, o.Map()); diff != "" {
		t.Error(diff)
	}
}

// All that is wrong is reported at once, in the order of the names.
func TestOptionFaults(t *testing.T) {
	t.Parallel()
	_, err := options().NewOptions(map[string]string{"zeal": "1", "turns": "7", "fog": "true", "air": ""})
	want := `options: "air" is not an option of test; "turns" must be one of 12, 6, not "7"; ` +
		`"zeal" is not an option of test`
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	_, err = options().NewOptions(map[string]string{"turns": "7"})
	if want := `options: "turns" must be one of 12, 6, not "7"`; err == nil || err.Error() != want {
		t.Errorf("a single fault: got %v\nwant %s", err, want)
	}
}

func TestAboutLookups(t *testing.T) {
	t.Parallel()
	a := &rules.About{
		Seats:    []rules.SeatInfo{{ID: "us"}, {ID: "japan"}},
		Commands: []rules.CommandKind{{ID: "move"}, {ID: "concede", Offer: true}},
	}
	if seat, ok := a.SeatByID("japan"); !ok || seat != 1 {
		t.Errorf("japan is seat %d, %v", seat, ok)
	}
	if seat, ok := a.SeatByID(""); ok || seat != rules.NoSeat {
		t.Errorf("no id is seat %d, %v", seat, ok)
	}
	if a.SeatID(0) != "us" || a.SeatID(2) != "" || a.SeatID(rules.NoSeat) != "" {
		t.Error("SeatID does not undo SeatByID")
	}
	if a.AllSeats() != rules.SeatsOf(0, 1) {
		t.Errorf("all seats are %b", a.AllSeats())
	}
	if k, ok := a.Command("concede"); !ok || !k.Offer {
		t.Errorf("concede is %+v, %v", k, ok)
	}
	if _, ok := a.Command("con"); ok {
		t.Error("con is no command")
	}
	if full := (&rules.About{Seats: make([]rules.SeatInfo, rules.MaxSeats)}).AllSeats(); full.Len() != rules.MaxSeats {
		t.Errorf("%d of %d seats", full.Len(), rules.MaxSeats)
	}
}

func TestASideIsTheSeatsThatShareItsID(t *testing.T) {
	t.Parallel()
	a := &rules.About{Seats: []rules.SeatInfo{
		{ID: "ussr", Side: "allies"}, {ID: "japan", Side: "axis"}, {ID: "uk", Side: "allies"}, {ID: "spain"},
		{ID: "eire"},
	}}
	for seat, want := range map[rules.Seat]rules.Seats{
		0: rules.SeatsOf(0, 2), 1: rules.SeatsOf(1), 2: rules.SeatsOf(0, 2), 3: rules.SeatsOf(3), 4: rules.SeatsOf(4),
		5: 0, rules.NoSeat: 0,
	} {
		if got := a.SideOf(seat); got != want {
			t.Errorf("the side of seat %d is %b, want %b", seat, got, want)
		}
	}
}

func TestRulebook(t *testing.T) {
	t.Parallel()
	b := rules.MustRulebook("T 1\tFirst\tenforced\tDo it.\r\nT 2\tSecond\tinformational\tNothing.\n")
	p, ok := b.Find("T 1")
	if want := (rules.Paragraph{ID: "T 1", Title: "First", Kind: rules.Enforced, Summary: "Do it."}); !ok || p != want {
		t.Errorf("got %+v", p)
	}
	if _, ok := b.Find(""); ok || len(b.Paragraphs) != 2 {
		t.Error("more than there is")
	}
	if err := b.AddTexts("preface\n### T 2 — Second\n\nAll of it,\nat length.\n### T 1\nx"); err != nil {
		t.Fatal(err)
	}
	if p, _ := b.Find("T 2"); p.Text != "All of it,\nat length." {
		t.Errorf("the text is %q", p.Text)
	}
	if err := b.AddTexts("### T 3\nx"); err == nil || !strings.Contains(err.Error(), `"T 3" is not in the index`) {
		t.Errorf("got %v", err)
	}
}

func TestParseRulebookFaults(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ tsv, says string }{
		"nothing":         {"", "line 1: 1 columns"},
		"columns":         {"T 1\tFirst\tenforced", "line 1: 3 columns"},
		"an empty id":     {"\tFirst\tenforced\tx", "none empty"},
		"an empty title":  {"T 1\t\tenforced\tx", "none empty"},
		"no summary":      {"T 1\tFirst\tenforced\t", "none empty"},
		"an unknown kind": {"T 1\tFirst\tforced\tx", `T 1 has the unknown kind "forced"`},
		"an id twice":     {"T 1\tA\ttable\tx\nT 1\tB\tchoice\tx", "line 2: T 1 is given twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := rules.ParseRulebook(x.tsv); err == nil || !strings.Contains(err.Error(), x.says) {
				t.Errorf("got %v, want an error with %q", err, x.says)
			}
		})
	}
	mustPanic(t, func() { rules.MustRulebook("") })
	mustPanic(t, func() { rules.MustRulebook("T 1\tFirst\tenforced\tDo it.\n", "### T 2\nNothing.\n") })
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	r := rules.Refuse("T 1", "refuse.far", "n", 2).About("u1", "u2").At("0101").For("TOO_FAR")
	if got, want := r.Error(), "[refuse.far n=2] (T 1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Words = "2 hexes is too far"
	if got, want := r.Error(), "2 hexes is too far (T 1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.Reason != "TOO_FAR" || len(r.Pieces) != 2 || len(r.Spaces) != 1 {
		t.Errorf("got %+v", r)
	}
	if r := rules.Refuse("T 1", "x"); r.Reason != rules.ReasonIllegal {
		t.Errorf("the reason is %s", r.Reason)
	}
	if m := rules.Malformed("no field %d", 3); m.Reason != rules.ReasonMalformed || m.Error() != "no field 3" {
		t.Errorf("got %+v", m)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	var f rules.Faults
	f.Warn("about.ja", "missing")
	if f.Fatal() || f.Error() != "" {
		t.Errorf("a warning is fatal: %v", f)
	}
	f.Add("units[3].hex", "there is no hex %s", "9999")
	f.Warn("x", "y")
	f.Add("turns", "expected 1 to 20")
	if got, want := f.Error(), "units[3].hex: there is no hex 9999; turns: expected 1 to 20"; !f.Fatal() ||
		got != want {
		t.Errorf("got %q", got)
	}
}

func TestFilterFits(t *testing.T) {
	t.Parallel()
	d := rules.Description{Kind: "move", Pieces: []string{"u1", "u2"}, Spaces: []string{"0102"}}
	for f, want := range map[rules.Filter]bool{
		{}: true, {Kind: "move"}: true, {Kind: "mov"}: false, {Piece: "u2"}: true, {Piece: "u3"}: false,
		{Space: "0102"}: true, {Space: "01"}: false, {Kind: "move", Piece: "u1", Space: "0102"}: true,
		{Kind: "attack", Piece: "u1"}: false,
	} {
		if f.Fits(d) != want {
			t.Errorf("%+v: %v", f, !want)
		}
	}
}
