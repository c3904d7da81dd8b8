package rulestest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Forced plays random games with the option by which forced choices make themselves, and the same commands without it.
// With it no question is asked that has one answer, throws no die and reveals nothing, but for the decisions that are
// kept because how many answers they have is not open. Without it each of those is asked, and in the end both boards
// are the same.
func Forced(t *testing.T, set rules.Ruleset, doc []byte, kept map[string]bool, games, commands int) {
	t.Helper()
	spared := 0
	for seed := range games {
		f := &forcing{t: t, kept: kept}
		f.on.game, f.on.src = f.begin(set, doc, "true"), dice.NewSeeded(uint64(seed)+1)
		f.off.game, f.off.src = f.begin(set, doc, "false"), dice.NewSeeded(uint64(seed)+1)
		f.start()
		rnd := dice.NewSeeded(uint64(seed) + 1000)
		for n := 0; n < commands && f.on.game.Ending() == nil; n++ {
			f.asksNothingForced()
			f.turn(rnd)
		}
		f.compare()
		spared += f.spared
	}
	if spared == 0 {
		t.Fatal("no choice was forced in all games")
	}
	t.Logf("%d choices were forced", spared)
}

// side is one of two games with its dice.
type side struct {
	game rules.Game
	src  dice.Source
}

// forcing is a pair of games that go on alike.
type forcing struct {
	t       *testing.T
	kept    map[string]bool
	on, off side
	spared  int
}

func (f *forcing) begin(set rules.Ruleset, doc []byte, value string) rules.Game {
	f.t.Helper()
	sc, faults := set.LoadScenario(doc)
	if sc == nil {
		f.t.Fatal(faults)
	}
	o, err := set.About().NewOptions(map[string]string{"forced_choices": value})
	if err != nil {
		f.t.Fatal(err)
	}
	return set.New(sc, o)
}

func (f *forcing) start() {
	f.t.Helper()
	out, err := f.on.game.Start(f.on.src)
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := f.off.game.Start(f.off.src); err != nil {
		f.t.Fatal(err)
	}
	f.follow(out)
}

// sole is the only answer of the seat that must decide; false if there are several, or several seats.
func sole(g rules.Game) (seat rules.Seat, c rules.Command, ok bool) {
	if g.Waiting().Len() != 1 {
		return rules.NoSeat, c, false
	}
	for seat = range g.Waiting().Each {
		if list := g.Answers(seat, nil); list.Len() == 1 {
			return seat, list.At(0), true
		}
	}
	return rules.NoSeat, c, false
}

func (f *forcing) asksNothingForced() {
	f.t.Helper()
	seat, c, ok := sole(f.on.game)
	if !ok || f.kept[f.on.game.Decisions()[0].Kind] {
		return
	}
	if _, out, err := f.on.game.Play(seat, c, dice.NewScript(nil)); err == nil && !out.Revealed {
		f.t.Fatalf("asked although %q is the only answer of seat %d", f.on.game.FormatCommand(c), seat)
	}
}

// turn gives a random command in both games, and the forced answers in the one that asks for them.
func (f *forcing) turn(rnd *dice.Seeded) {
	f.t.Helper()
	var seat rules.Seat
	for seat = range f.on.game.Waiting().Each {
		break
	}
	list := f.on.game.Answers(seat, nil)
	c := list.At(int(rnd.Below(uint32(list.Len()))))
	out := new(rules.Outcome)
	text := f.on.game.FormatCommand(c)
	same, err := f.off.game.ParseCommand(text)
	if err != nil {
		f.t.Fatalf("%s: %v", text, err)
	}
	if err := f.on.game.Apply(seat, c, f.on.src, out); err != nil {
		f.t.Fatalf("%s: %v", text, err)
	}
	if err := f.off.game.Apply(seat, same, f.off.src, new(rules.Outcome)); err != nil {
		f.t.Fatalf("without the option, %s: %v", text, err)
	}
	f.follow(out)
}

// follow gives in the game without the option the answers that were forced in an outcome of the other.
func (f *forcing) follow(out *rules.Outcome) {
	f.t.Helper()
	for _, e := range out.Events {
		m := e.Event.ProtoReflect()
		if one := m.WhichOneof(m.Descriptor().Oneofs().ByName("kind")); one == nil || one.Name() != "forced_answer" {
			continue
		}
		f.spared++
		seat, c, ok := sole(f.off.game)
		if !ok {
			f.t.Fatalf("an answer was forced where there are several: %v", MessageText(e.Event))
		}
		if err := f.off.game.Apply(seat, c, f.off.src, new(rules.Outcome)); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f *forcing) compare() {
	f.t.Helper()
	var boards [2]proto.Message
	for i, g := range []rules.Game{f.on.game, f.off.game} {
		boards[i] = g.Board(rules.Auditor, rules.English)
	}
	if diff := cmp.Diff(boards[1], boards[0], protocmp.Transform()); diff != "" {
		f.t.Errorf("the boards differ (-asked +forced):\n%s", diff)
	}
}
