package kit

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// order is a command of this test.
type order struct{ Kind, N int }

// grammar knows two kinds of command, of which one names a number.
var grammar = Grammar[int, *Phrase, order]{
	Kinds: Kinds[*Phrase, order]{
		1: {ID: "use", Field: "bombs", Names: func(x *Phrase, o *order) {
			switch x.Shape {
			case Encode:
				x.Put("count", o.N)
			case Decode:
				o.N = int(x.Get("count").Uint())
			case Read:
				n, _ := x.Number("a number")
				o.N = int(n)
			case Tell:
				x.Arg("n", o.N)
			default:
				x.Show("number", strconv.Itoa(o.N))
			}
		}},
		2: {ID: "end"},
	},
	Kind:   func(o *order) int { return o.Kind },
	Make:   func(kind int) order { return order{Kind: kind} },
	Phrase: func(_ int, x Phrase) *Phrase { return &x },
}

func TestGrammar(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		order  order
		text   string
		chosen string
	}{{order{1, 3}, "use 3", "bombs"}, {order{2, 0}, "end", "end"}} {
		m := &downfallv1.Command{}
		grammar.Encode(0, test.order, m)
		if got := Chosen(m); got != test.chosen {
			t.Errorf("%v is a message of %q", test.order, got)
		}
		if back, r := grammar.Decode(0, m); r != nil || back != test.order {
			t.Errorf("the message of %v is read as %v: %v", test.order, back, r)
		}
		if got := grammar.Format(0, test.order); got != test.text {
			t.Errorf("%v is written %q", test.order, got)
		}
	}
	if back, r := grammar.Parse(0, 1, []string{"3"}); r != nil || back != (order{1, 3}) {
		t.Errorf("read %v: %v", back, r)
	}
	if back, r := grammar.ParseLine(0, "  USE\t3 "); r != nil || back != (order{1, 3}) {
		t.Errorf("read %v: %v", back, r)
	}
	d := rules.Description{}
	grammar.Tell(0, order{1, 3}, &d)
	if diff := cmp.Diff(rules.Say("", "n", 3), d.Label); diff != "" {
		t.Errorf("told (-want +got)\n%s", diff)
	}
}

// What is of no kind, or says more than its kind names, is refused or written as nothing.
func TestGrammarRefuses(t *testing.T) {
	t.Parallel()
	m := &downfallv1.Command{}
	for _, kind := range []int{0, 3} {
		if grammar.Encode(0, order{Kind: kind}, m); Chosen(m) != "" || grammar.Format(0, order{Kind: kind}) != "?" {
			t.Errorf("a command of kind %d is %q, %q", kind, Chosen(m), grammar.Format(0, order{Kind: kind}))
		}
	}
	for _, test := range []struct {
		name string
		read func() (order, *rules.Refusal)
		want string
	}{
		{"a message of no kind", func() (order, *rules.Refusal) { return grammar.Decode(0, m) },
			"the command has no kind"},
		{"too many words", func() (order, *rules.Refusal) { return grammar.Parse(0, 1, []string{"3", "4"}) },
			`expected nothing more, not "4"; it is written: use NUMBER`},
		{"a line of blanks", func() (order, *rules.Refusal) { return grammar.ParseLine(0, " \t") },
			"expected a command"},
		{"a line of no kind", func() (order, *rules.Refusal) { return grammar.ParseLine(0, "used 3") },
			`there is no command "used"; did you mean use? The commands are use, end`},
		{"no word", func() (order, *rules.Refusal) { return grammar.Parse(0, 1, nil) },
			`expected a number, not the end; it is written: use NUMBER`},
	} {
		if got, r := test.read(); r == nil || r.Words != test.want || got != (order{}) {
			t.Errorf("%s: %v, %v", test.name, got, r)
		}
	}
}
