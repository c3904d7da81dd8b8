package downfall

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// twins are two games that differ in something hidden, and are played with the same open dice.
type twins struct {
	t testing.TB
	g [2]rules.Game
}

// twinGames begins two games on the flower with options, and sets up the 36th Army in both.
func twinGames(t testing.TB, options ...string) *twins {
	t.Helper()
	sc := flowerScenario(t, func(f *flower.Flower) { f.Coast("limousine", "K1", "K4") })
	on := map[string]string{}
	for _, o := range options {
		on[o] = "true"
	}
	opt, err := about.NewOptions(on)
	if err != nil {
		t.Fatal(err)
	}
	w := &twins{t: t}
	for i := range w.g {
		w.g[i] = downfall.New(sc, opt)
		if _, err := w.g[i].Start(dice.NewManual(nil)); err != nil {
			t.Fatal(err)
		}
	}
	for i, hex := range []string{"C", "C", "C", "N1", "N1", "N1", "N2", "N2"} {
		w.both(Japan, fmt.Sprintf("place A%d %s", i+1, hex))
	}
	return w
}

// tries are commands that Japan tries after every command; their refusals must not tell anything.
var tries = []string{
	"plan K1 9", "plan C 9", "cancel", "land", "drop", "orders", "orders airborne C 26", "orders infantry", "bombs 0",
	"bombs 5", "bombs 7",
	"target C", "supply -", "supply C", "move A1 N4", "enter R/11 C", "enter IX/77 K1", "rebuild R/11", "stepup R/11",
	"end", "concede",
	"attack C N4 A1", "place A1 N4",
}

// glimpse is all that a viewer can see of a game and of what just happened in it: bytes in hexadecimal.
func glimpse(t testing.TB, g rules.Game, v rules.Viewer, out *rules.Outcome) string {
	t.Helper()
	var b strings.Builder
	show := func(m proto.Message) {
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%x\n", data)
	}
	fmt.Fprintf(&b, "turn %d, waiting %v, revealed %t, %d events, %d rolls\n",
		g.Turn(), g.Waiting(), out.Revealed, len(out.Events), len(out.Rolls))
	for _, e := range out.Events {
		fmt.Fprintf(&b, "event after %d rolls\n", e.RollsBefore)
		if v.MaySee(e.Audience) {
			show(e.Event)
		}
	}
	for _, r := range out.Rolls {
		if v.MaySee(r.Audience) {
			fmt.Fprintf(&b, "%s: %d of %d\n", r.Reason, r.Value, r.Sides)
		}
	}
	show(g.Board(v, rules.English))
	show(g.Board(v, rules.Japanese))
	show(g.View(v))
	for seat := range v.Seats.Each {
		for c := range g.Legal(seat, rules.Filter{}) {
			fmt.Fprintf(&b, "%s: %+v\n", g.FormatCommand(c), g.Describe(seat, c))
		}
		for _, text := range tries {
			c, err := g.ParseCommand(flowerWord.ReplaceAllStringFunc(text, flower.ID))
			if err == nil {
				err = g.Check(seat, c)
			}
			var r *rules.Refusal
			if errors.As(err, &r) {
				fmt.Fprintf(&b, "%s: %+v\n", text, *r)
			}
		}
	}
	return b.String()
}

// play lets a seat play a command of its own in each game, and compares what Japan and a spectator
// see before it is over.
func (w *twins) play(seat rules.Seat, commands [2]string, throws [2][]uint32) (outs [2]*rules.Outcome) {
	w.t.Helper()
	for i, g := range w.g {
		c, err := g.ParseCommand(flowerWord.ReplaceAllStringFunc(commands[i], flower.ID))
		if err == nil {
			w.g[i], outs[i], err = g.Play(seat, c, dice.NewManual(throws[i]))
		}
		if err != nil {
			w.t.Fatalf("turn %d, %s: %v", g.Turn(), commands[i], err)
		}
	}
	for _, v := range []rules.Viewer{rules.Spectator, rules.SeatViewer(Japan)} {
		a, b := glimpse(w.t, w.g[0], v, outs[0]), glimpse(w.t, w.g[1], v, outs[1])
		if a != b {
			w.t.Fatalf("viewer %+v sees a difference after %q and %q:\n%s",
				v, commands[0], commands[1], cmp.Diff(strings.Split(a, "\n"), strings.Split(b, "\n")))
		}
	}
	return outs
}

// differ plays a command of its own in each game, both the same in everything that Japan may see.
func (w *twins) differ(seat rules.Seat, a, b string, throws ...uint32) [2]*rules.Outcome {
	w.t.Helper()
	return w.play(seat, [2]string{a, b}, [2][]uint32{throws, throws})
}

// both plays the same command in both games.
func (w *twins) both(seat rules.Seat, command string, throws ...uint32) {
	w.t.Helper()
	w.differ(seat, command, command, throws...)
}

// toUS plays on from the deployment to III.D, with the commands of III.B if it is asked.
func (w *twins) toUS() {
	w.t.Helper()
	w.both(US, "zones limousine limousine limousine limousine", 1)
	w.both(US, "bombs 0", w.d6()...)
	w.both(Japan, "end")
	if d := w.g[0].Decisions(); len(d) > 0 && d[0].Kind == "air-supply" {
		w.both(US, "supply -")
	}
}

// jump makes it a later turn in both games.
func (w *twins) jump(turn int) {
	w.t.Helper()
	for i, g := range w.g {
		text := strings.Replace(g.Notation(), "\nturn 1 ", fmt.Sprintf("\nturn %d ", turn), 1)
		next, err := downfall.ParsePosition(g.Scenario(), text)
		if err != nil || next.Turn() != turn {
			w.t.Fatalf("no jump to turn %d: %v", turn, err)
		}
		w.g[i] = next
	}
}

// d6 is the die for Japan's CP, which turn 1 does without, and before it from turn 10 the d10 for the
// 56th Army while it waits.
func (w *twins) d6() []uint32 {
	waits := false
	for _, u := range w.g[0].View(rules.Spectator).(*downfallv1.PositionView).Units {
		waits = waits || u.Box == downfallv1.Box_BOX_NOT_AVAILABLE
	}
	switch turn := w.g[0].Turn(); {
	case turn == 1:
		return nil
	case turn >= 10 && waits:
		return []uint32{10, 6}
	}
	return []uint32{6}
}

// secret compares what the US sees, which must differ.
func (w *twins) secret() {
	w.t.Helper()
	v := rules.SeatViewer(US)
	if proto.Equal(w.g[0].View(v), w.g[1].View(v)) ||
		proto.Equal(w.g[0].Board(v, rules.English), w.g[1].Board(v, rules.English)) {
		w.t.Error("the US sees no difference: nothing was proved")
	}
}

func TestPlansAreSecret(t *testing.T) { // E-136
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.6-a", "DF 3.3-d", "DF 8.6-d")
	t.Run("until the landing", func(t *testing.T) {
		t.Parallel()
		w := twinGames(t)
		w.differ(US, "plan "+flower.DepotLanding+" 5", "plan K4 7", 1)
		w.secret()
		for turn := 1; turn < 5; turn++ {
			w.toUS()
			if turn == 2 {
				w.both(US, "enter I/25 "+flower.DepotI)
			}
			w.both(US, "end", 1)
		}
		w.toUS()
		w.secret()
		g, out := w.alone(0, US, "land")
		seen := kindOf[*downfallv1.Event_LandingBegan](out)
		if !out.Revealed || len(seen) != 1 || g.View(rules.Spectator).(*downfallv1.PositionView).Planned {
			t.Error("the landing doesn't show the record")
		}
		if c, err := w.g[1].ParseCommand("land"); err == nil {
			if err := w.g[1].Check(US, c); err == nil {
				t.Error("the other game lands too")
			}
		}
	})
	t.Run("a new plan after a cancellation", func(t *testing.T) {
		t.Parallel()
		w := twinGames(t)
		w.both(US, "plan K1 6", 1)
		w.toUS()
		w.both(US, "cancel")
		w.differ(US, "plan K1 5", "plan K4 30")
		w.secret()
		w.both(US, "end", 1)
		w.toUS()
		w.both(US, "end", 1)
	})
	t.Run("shown by a cancellation", func(t *testing.T) {
		t.Parallel()
		w := twinGames(t)
		w.differ(US, "plan K1 6", "plan K4 9", 1)
		w.toUS()
		for i, turn := range []uint32{6, 9} {
			_, out := w.alone(i, US, "cancel")
			shown := kindOf[*downfallv1.Event_LandingCancelled](out)
			if !out.Revealed || len(shown) != 1 || shown[0].LandingCancelled.Turn != turn ||
				out.Events[0].Audience != rules.Everyone {
				t.Errorf("the cancellation shows %v", shown)
			}
		}
	})
}

// alone plays a command in one of the games.
func (w *twins) alone(i int, seat rules.Seat, command string) (rules.Game, *rules.Outcome) {
	w.t.Helper()
	c, err := w.g[i].ParseCommand(command)
	if err != nil {
		w.t.Fatal(err)
	}
	g, out, err := w.g[i].Play(seat, c, dice.NewManual(nil))
	if err != nil {
		w.t.Fatal(err)
	}
	return g, out
}

func TestBombsLeftAreSecret(t *testing.T) { // E-137
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.7", "DF 6.8-b", "DF 6.8-a")
	w := twinGames(t, "secret_bomb_count")
	w.play(US, [2]string{"plan K1 9", "plan K1 9"}, [2][]uint32{{1, 1}, {6, 1}})
	w.secret()
	w.both(US, "zones limousine limousine limousine limousine", 1)
	w.both(US, "bombs 4")
	for _, hex := range []string{"E1", "E2", "E3"} {
		w.both(US, "target "+hex)
	}
	w.both(US, "target E4")
	w.both(US, "bomb E2", 1)
	w.both(US, "bomb E1", 1)
	w.both(US, "bomb E4", 1, 1) // the last one needs no choice
	w.both(Japan, "end")
	w.both(US, "end", 1)
	w.both(US, "zones limousine limousine limousine limousine", 1)
	for i, want := range []bool{false, true} { // phase I.C asks in both
		if d := w.g[i].Decisions(); len(d) != 1 || d[0].Kind != "bombs" || d[0].Seat != US {
			t.Fatalf("the US is asked for %v", d)
		}
		c, err := w.g[i].ParseCommand("bombs 1")
		if err != nil {
			t.Fatal(err)
		}
		err = w.g[i].Check(US, c)
		var r *rules.Refusal
		if ok := err == nil; ok != want || !ok && (!errors.As(err, &r) || r.Rule != "DF 6.8-a") {
			t.Errorf("game %d: a fifth bomb: %v", i, err)
		}
	}
	w.secret()
	w.both(US, "bombs 0", 6)
	w.both(Japan, "end")
}

func TestTheDropIsSecret(t *testing.T) { // E-138
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.6-a", "DF 15.6-b", "DF 15.6-d")
	for name, c := range map[string]struct {
		setup    [2]string
		from, to int
		orders   map[int][2]string // at the end of III.D, by turn
	}{
		"the mode":      {[2]string{"orders infantry", "orders airborne"}, 20, 22, nil},
		"the hex":       {[2]string{"orders airborne C 22", "orders airborne E4 22"}, 18, 21, nil},
		"the turn":      {[2]string{"orders airborne C 24", "orders airborne C 23"}, 21, 22, nil},
		"being planned": {[2]string{"orders airborne C 23", "orders airborne"}, 21, 22, nil},
		"changes": {[2]string{"orders infantry", "orders infantry"}, 17, 22, map[int][2]string{
			17: {"orders airborne", "orders"}, 18: {"orders airborne E4 22", "orders"},
			21: {"orders infantry", "orders airborne E4 25"},
		}},
		"a lapse": {[2]string{"orders airborne C 22", "orders airborne C 29"}, 21, 23, map[int][2]string{
			22: {"orders airborne C 26", "orders"}, 23: {"orders", "orders airborne E5 30"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := twinGames(t, "airborne_11th")
			w.differ(US, c.setup[0], c.setup[1])
			w.both(US, "plan K1 29", 1)
			w.jump(c.from)
			for turn := c.from; turn <= c.to; turn++ {
				w.toUS()
				w.both(US, "end")
				if d := w.g[0].Decisions(); len(d) != 1 || d[0].Kind != "orders" {
					t.Fatalf("turn %d: orders aren't asked for, but %v", turn, d)
				}
				orders, ok := c.orders[turn]
				if !ok {
					orders = [2]string{"orders", "orders"}
				}
				w.differ(US, orders[0], orders[1], 1)
			}
			w.secret()
		})
	}
}

func TestAllIsOpenAfterTheGame(t *testing.T) { // E-139
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.7", "DF 8.6-a", "DF 15.6-a")
	w := twinGames(t, "airborne_11th", "secret_bomb_count")
	setup := w.differ(US, "orders airborne C 22", "orders airborne C 22")
	plan := w.play(US, [2]string{"plan K1 9", "plan K1 9"}, [2][]uint32{{2, 1}, {2, 1}})
	g := w.g[0]
	for _, m := range []proto.Message{g.View(rules.Spectator), g.View(rules.SeatViewer(Japan))} {
		if v := m.(*downfallv1.PositionView); v.Plan != nil || v.Orders != nil || v.BombsLeft != nil {
			t.Errorf("open before the end: %v", v)
		}
	}
	w.both(US, "concede")
	g, _ = w.alone(0, Japan, "accept")
	over := rules.Viewer{All: true} // what everyone is when the game is over
	view := g.View(over).(*downfallv1.PositionView)
	if view.GetPlan().GetTurn() != 9 || view.GetOrders().GetDropTurn() != 22 || view.GetBombsLeft() != 5 {
		t.Errorf("plan %v, orders %v, %d bombs", view.Plan, view.Orders, view.GetBombsLeft())
	}
	for _, lang := range []rules.Lang{rules.English, rules.Japanese} {
		if !proto.Equal(g.Board(over, lang), g.Board(rules.SeatViewer(US), lang)) {
			t.Error("the board shows less than the US sees")
		}
	}
	// What was recorded in secret, lapsed plans and the bomb die included, is in the log for those who may see all.
	for _, out := range []*rules.Outcome{setup[0], plan[0]} {
		for _, e := range out.Events {
			if !over.MaySee(e.Audience) {
				t.Errorf("hidden for good: %v", e.Event)
			}
		}
	}
	if len(kindOf[*downfallv1.Event_BombCountRolled](plan[0])) != 1 || plan[0].Rolls[0].Audience != usOnly ||
		!over.MaySee(plan[0].Rolls[0].Audience) {
		t.Error("the bomb die isn't recorded for the US alone, and for all at the end")
	}
}
