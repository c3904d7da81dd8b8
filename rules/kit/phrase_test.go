package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Fields are put into a message and read from it whatever they hold; lists grow.
func TestPhraseFields(t *testing.T) {
	t.Parallel()
	m := &downfallv1.Attack{}
	x := &Phrase{Shape: Encode, Message: m.ProtoReflect()}
	x.Put("from", 7)
	x.Put("target", uint32(8))
	PutAll(x, "units", []string{"a", "b"})
	x.Put("support", &downfallv1.Support{Naval: 2})
	want := &downfallv1.Attack{From: 7, Target: 8, Units: []string{"a", "b"}, Support: &downfallv1.Support{Naval: 2}}
	if diff := cmp.Diff(want.String(), m.String()); diff != "" {
		t.Errorf("put (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, All[string](x, "units")); diff != "" {
		t.Errorf("read (-want +got)\n%s", diff)
	}
	orders := &downfallv1.GiveOrders{}
	x.Message = orders.ProtoReflect()
	if x.Put("mode", 2); orders.GetMode() != downfallv1.ArrivalMode_ARRIVAL_MODE_AIRBORNE {
		t.Errorf("the mode is %s", orders.GetMode())
	}
	moves := &downfallv1.Move{Units: []*downfallv1.UnitMove{{Unit: "a"}, {Unit: "b"}}}
	x.Message = moves.ProtoReflect()
	if got := All[*downfallv1.UnitMove](x, "units"); len(got) != 2 || got[1] != moves.GetUnits()[1] {
		t.Errorf("messages of a list are %v", got)
	}
}

// A thing that may be left out is absent where its message lacks it or a word for none stands in its place.
func TestPhraseAbsent(t *testing.T) {
	t.Parallel()
	m := (&downfallv1.Attack{From: 7}).ProtoReflect()
	for _, test := range []struct {
		name string
		x    Phrase
		want bool
		left int
	}{
		{"in the message", Phrase{Shape: Decode, Message: m}, false, 0},
		{"a dash", Phrase{Shape: Read, Words: []string{"-", "b"}}, true, 1},
		{"the word none", Phrase{Shape: Read, Words: []string{"NONE"}}, true, 0},
		{"another word", Phrase{Shape: Read, Words: []string{"a"}}, false, 1},
		{"no word", Phrase{Shape: Read}, false, 0},
		{"written", Phrase{Shape: Write, Words: []string{"-"}}, false, 1},
	} {
		if got := test.x.Absent("from"); got != test.want || len(test.x.Words) != test.left {
			t.Errorf("%s: absent %t, %d words left", test.name, got, len(test.x.Words))
		}
	}
	if x := (Phrase{Shape: Decode, Message: m}); !x.Absent("target") {
		t.Error("a field that is not set is not absent")
	}
}

// The first refusal stays, shows how the command is written, and nothing is read after it.
func TestPhraseRefuses(t *testing.T) {
	t.Parallel()
	x := &Phrase{Shape: Read, Words: []string{"5", "x", "y"}, Written: func() string { return "go NUMBER NUMBER" }}
	if n, ok := x.Number("a number"); n != 5 || !ok {
		t.Fatalf("read %d, %t", n, ok)
	}
	if _, ok := x.Number("a number"); ok || x.Going() {
		t.Error("a word is taken for a number, or reading goes on")
	}
	x.End()
	x.Expected("more")
	want := rules.Malformed(`expected a number, not "x"; it is written: go NUMBER NUMBER`)
	if diff := cmp.Diff(want, x.Refusal); diff != "" {
		t.Errorf("refused (-want +got)\n%s", diff)
	}
	empty := &Phrase{Shape: Read, Written: x.Written}
	if w := empty.Next("a unit"); w != "" ||
		empty.Refusal.Words != "expected a unit, not the end; it is written: go NUMBER NUMBER" {
		t.Errorf("took %q, refused %v", w, empty.Refusal)
	}
	if x := (&Phrase{Words: []string{"left"}, Written: x.Written}); true {
		if x.End(); x.Refusal == nil {
			t.Error("a word that is left over is not refused")
		}
	}
}

// Usage stands for what would be written; a description gets places, pieces and spaces.
func TestPhraseSays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		shape Shape
		want  string
	}{{Write, "go a5"}, {Usage, "go HEX or -"}} {
		x := Phrase{Shape: test.shape, Text: []byte("go")}
		x.Show("hex", "a5")
		if x.Suffix(" or -"); string(x.Text) != test.want {
			t.Errorf("%q, expected %q", x.Text, test.want)
		}
	}
	d := &rules.Description{}
	x := Phrase{Shape: Tell, Told: d}
	x.Arg("n", 3)
	x.Arg("unit", rules.Words{En: "Unit"})
	x.Pieces("u")
	x.Spaces("h")
	want := &rules.Description{Label: rules.Say("", "n", 3, "unit", rules.Words{En: "Unit"}), Pieces: []string{"u"},
		Spaces: []string{"h"}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("told (-want +got)\n%s", diff)
	}
	if x.Called("field", "word") != "word" || (&Phrase{Shape: Decode}).Called("field", "word") != "field" {
		t.Error("a thing is not called by its field in messages and by its word in text")
	}
}

// Words are taken one by one, texts and numbers as they are written; nothing goes on after a refusal.
func TestPhraseTakes(t *testing.T) {
	t.Parallel()
	x := &Phrase{Shape: Read, Words: []string{"first", "TO", "to", "4294967295", "4294967296"},
		Written: func() string { return "go" }, Message: (&downfallv1.PlaceUnit{Unit: "u"}).ProtoReflect()}
	if w := x.Take("unit"); w != "first" || len(x.Words) != 4 {
		t.Errorf("took %q, %d words left", w, len(x.Words))
	}
	if x.Has("from") || !x.Has("from", "to") || !x.Has("to") || len(x.Words) != 2 || !x.Going() {
		t.Errorf("words that are asked for: %d left", len(x.Words))
	}
	if n, ok := x.Number("a number"); n != 1<<32-1 || !ok {
		t.Errorf("the largest number is %d, %t", n, ok)
	}
	if n, ok := x.Number("a number"); n != 0 || ok || x.Refusal == nil {
		t.Errorf("a larger number is %d, %t", n, ok)
	}
	if x.Words = []string{"left"}; x.Going() {
		t.Error("reading goes on after a refusal")
	}
	if x.Words, x.Refusal = nil, nil; x.Going() {
		t.Error("reading goes on without words")
	}
	if x.Shape = Decode; x.Take("unit") != "u" {
		t.Error("a text of the message is not taken")
	}
	given := &downfallv1.PlaceUnit{}
	for _, shape := range []Shape{Encode, Write, Usage} {
		y := Phrase{Shape: shape, Message: given.ProtoReflect()}
		y.Give("unit", "a")
		if want := map[Shape]string{Write: " a", Usage: " UNIT"}[shape]; string(y.Text) != want ||
			given.GetUnit() != "a" {
			t.Errorf("shape %d: %q in the text, %q in the message", shape, y.Text, given.GetUnit())
		}
	}
}
