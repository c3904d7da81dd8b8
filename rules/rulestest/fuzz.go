package rulestest

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// FuzzCommands is the body of a fuzz target in which bytes drive a game: some choose listed commands, others are
// read as the message or the notation of one. Nothing may panic, what is refused changes nothing, and folding
// gives the live position.
func FuzzCommands(f *testing.F, set rules.Ruleset) {
	f.Helper()
	scenarios := loadAll(f, set)
	f.Add([]byte{0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8})
	f.Add([]byte{0, 0, 0, 0, 1, 4, 0x0a, 2, 0x0a, 0, 2, 4, 'e', 'n', 'd', ' ', 0, 9, 3, 7, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data: data}
		sc := scenarios[in.below(len(scenarios))]
		options, err := set.About().NewOptions(choices(set.About(), 3)[in.below(min(4, 1+3*len(set.About().Options)))])
		if err != nil {
			t.Fatal(err)
		}
		d := &drive{t: t, set: set, in: in, live: set.New(sc, options), folded: set.New(sc, options)}
		out, err := d.live.Start(dice.NewSeeded(1))
		if err != nil {
			t.Fatal(err)
		}
		d.fold(out)
		for step := uint64(2); len(in.data) > 0 && d.live.Ending() == nil && step < 200; step++ {
			d.step(step)
		}
	})
}

func loadAll(t testing.TB, set rules.Ruleset) []rules.Scenario {
	t.Helper()
	var all []rules.Scenario
	for _, doc := range set.ScenarioDocuments() {
		sc, faults := set.LoadScenario(doc.Data)
		if faults.Fatal() {
			t.Fatalf("scenario %s: %v", doc.ID, faults)
		}
		all = append(all, sc)
	}
	return all
}

// input is bytes that choose.
type input struct{ data []byte }

func (in *input) byte() byte {
	if len(in.data) == 0 {
		return 0
	}
	b := in.data[0]
	in.data = in.data[1:]
	return b
}

func (in *input) below(n int) int { return (int(in.byte()) | int(in.byte())<<8) % max(1, n) }

func (in *input) take() []byte {
	n := min(int(in.byte()), len(in.data))
	b := in.data[:n]
	in.data = in.data[n:]
	return b
}

// drive is a game that bytes drive.
type drive struct {
	t            *testing.T
	set          rules.Ruleset
	in           *input
	live, folded rules.Game
}

func (d *drive) step(seed uint64) {
	seat := rules.Seat(int(d.in.byte()) % (len(d.set.About().Seats) + 1))
	var c rules.Command
	var err error
	switch d.in.byte() % 4 {
	case 0, 1:
		list := d.live.List(seat, rules.Filter{}, nil)
		if list.Len() == 0 {
			return
		}
		c = list.At(d.in.below(list.Len()))
	case 2:
		message := d.set.NewCommand()
		if proto.Unmarshal(d.in.take(), message) != nil {
			return
		}
		c, err = d.live.DecodeCommand(message)
	case 3:
		c, err = d.live.ParseCommand(string(d.in.take()))
	}
	if err != nil {
		d.refusal(err)
		return
	}
	before := d.live.Notation()
	checked := d.live.Check(seat, c)
	next, out, err := d.live.Play(seat, c, dice.NewSeeded(seed))
	if (checked == nil) != (err == nil) {
		d.t.Fatalf("Check says %v, Play says %v", checked, err)
	}
	if d.live.Notation() != before {
		d.t.Fatalf("Play changed the position that it was called on")
	}
	d.live.Describe(seat, c)
	if _, previewed := d.live.Preview(seat, c, glance); (previewed == nil) != (err == nil) {
		d.t.Fatalf("Preview says %v, Play says %v", previewed, err)
	}
	if err != nil {
		d.refusal(err)
		return
	}
	d.live = next
	d.fold(out)
	d.live.Board(rules.Spectator, rules.English)
	d.live.View(rules.Spectator)
}

func (d *drive) refusal(err error) {
	var r *rules.Refusal
	if !errors.As(err, &r) || r.Reason == "" || r.Words == "" {
		d.t.Fatalf("a refusal without a reason or words: %#v", err)
	}
}

func (d *drive) fold(out *rules.Outcome) {
	for _, e := range out.Events {
		if err := d.folded.Fold(encode(e.Event)); err != nil {
			d.t.Fatalf("%s cannot be folded: %v", MessageText(e.Event), err)
		}
	}
	if a, b := d.live.Notation(), d.folded.Notation(); a != b {
		d.t.Fatalf("folding gives another position:\n%s", lineDiff(a, b))
	}
}

// FuzzDecoders is the body of a fuzz target in which bytes are read as everything that comes from outside: a scenario,
// a position, a command in both forms, an event. Nothing may panic, and what is read can be shown and written again.
func FuzzDecoders(f *testing.F, set rules.Ruleset) {
	f.Helper()
	scenarios := loadAll(f, set)
	for i, doc := range set.ScenarioDocuments() {
		f.Add(doc.Data)
		options, err := set.About().NewOptions(nil)
		if err != nil {
			f.Fatal(err)
		}
		g := set.New(scenarios[i], options)
		out, err := g.Start(dice.NewSeeded(1))
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(g.Notation()))
		for _, e := range out.Events {
			f.Add(encode(e.Event))
		}
		for seat := range g.Waiting().Each {
			for c := range g.Legal(seat, rules.Filter{}) {
				f.Add([]byte(g.FormatCommand(c)))
				f.Add(encode(g.EncodeCommand(c)))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if sc, faults := set.LoadScenario(data); sc != nil {
			if faults.Fatal() {
				t.Fatalf("a scenario was loaded in spite of %v", faults)
			}
			show(t, set, begun(t, set, sc))
		}
		for _, sc := range scenarios {
			if g, err := set.ParsePosition(sc, string(data)); err == nil {
				again, err := set.ParsePosition(sc, g.Notation())
				if err != nil || again.Hash() != g.Hash() {
					t.Fatalf("a position that was read cannot be written and read again: %v", err)
				}
				show(t, set, g)
			}
			for _, lang := range langs {
				set.Narrate(sc, lang, data)
			}
			g := begun(t, set, sc)
			decode(t, g, data)
			if g.Fold(data) == nil {
				g.Notation()
			}
		}
	})
}

func begun(t *testing.T, set rules.Ruleset, sc rules.Scenario) rules.Game {
	options, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := set.New(sc, options)
	if _, err := g.Start(dice.NewSeeded(1)); err != nil {
		t.Fatal(err)
	}
	return g
}

// decode reads bytes as a command, which comes back from its notation if it can be read.
func decode(t *testing.T, g rules.Game, data []byte) {
	message := g.Ruleset().NewCommand()
	if proto.Unmarshal(data, message) == nil {
		if c, err := g.DecodeCommand(message); err == nil {
			again(t, g, c)
		}
	}
	if c, err := g.ParseCommand(string(data)); err == nil {
		again(t, g, c)
	}
}

func again(t *testing.T, g rules.Game, c rules.Command) {
	text := g.FormatCommand(c)
	back, err := g.ParseCommand(text)
	if err != nil || g.FormatCommand(back) != text {
		t.Fatalf("the command %q does not come back from its notation: %v", text, err)
	}
	for seat := range g.Ruleset().About().Seats {
		_ = g.Check(rules.Seat(seat), c)
		g.Describe(rules.Seat(seat), c)
	}
}

// show asks a position for everything that can be shown of it.
func show(t *testing.T, set rules.Ruleset, g rules.Game) {
	for _, v := range []rules.Viewer{rules.Auditor, rules.Spectator, rules.SeatViewer(0)} {
		g.Board(v, rules.Japanese)
		g.View(v)
	}
	g.Decisions()
	set.Map(g.Scenario(), rules.English)
	for seat := range set.About().Seats {
		for c := range g.Legal(rules.Seat(seat), rules.Filter{}) {
			if err := g.Check(rules.Seat(seat), c); err != nil {
				t.Fatalf("%s is listed and refused: %v", g.FormatCommand(c), err)
			}
		}
	}
}
