package rulesets

import (
	"bytes"
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/ocs"
)

// veiled is OCS with one more hidden event after one command. The event states something about a seat's units or
// supply; in the other game of a pair it states something else. So two games differ in what no command makes secret:
// steps, stocks, loads and supply.
type veiled struct {
	rules.Ruleset
	other bool
	// seat and kind say what the next command changes; done is true once it has.
	seat        rules.Seat
	kind        string
	armed, done bool
}

func (r *veiled) New(sc rules.Scenario, o rules.Options) rules.Game {
	return &veiledGame{r.Ruleset.New(sc, o), r}
}

func (r *veiled) ParsePosition(sc rules.Scenario, text string) (rules.Game, error) {
	g, err := r.Ruleset.ParsePosition(sc, text)
	if err != nil {
		return nil, err
	}
	return &veiledGame{g, r}, nil
}

type veiledGame struct {
	rules.Game
	set *veiled
}

func (g *veiledGame) Ruleset() rules.Ruleset { return g.set }
func (g *veiledGame) Clone() rules.Game      { return &veiledGame{g.Game.Clone(), g.set} }
func (g *veiledGame) Known(v rules.Viewer) (rules.Game, []rules.Text) {
	known, assumed := g.Game.Known(v)
	return &veiledGame{known, g.set}, assumed
}

// Play adds the hidden event to the command that the ruleset is armed for.
func (g *veiledGame) Play(seat rules.Seat, c rules.Command, src dice.Source) (rules.Game, *rules.Outcome, error) {
	next, out, err := g.Game.Play(seat, c, src)
	if err != nil {
		return nil, nil, err
	}
	if g.set.armed {
		g.set.armed = false
		if e := g.set.event(next); e != nil {
			out.Events = append(out.Events,
				rules.Emitted{Audience: rules.OnlySeats(g.set.seat), Event: e, RollsBefore: len(out.Rolls)})
			g.set.done = fold(next, e) == nil
		}
	}
	return &veiledGame{next, g.set}, out, nil
}

func fold(g rules.Game, e proto.Message) error {
	data, err := proto.Marshal(e)
	if err == nil {
		err = g.Fold(data)
	}
	return err
}

// event is the hidden event; nil if nothing of the kind is hidden. What shows on the board, of a unit on top of its
// stack say, is left out.
func (r *veiled) event(g rules.Game) *ocsv1.Event {
	view, ok := g.View(rules.SeatViewer(r.seat)).(*ocsv1.Position)
	if !ok {
		return nil
	}
	var was, other []*ocsv1.Change
	for _, pair := range r.changes(view) {
		if len(other) == 6 {
			break
		}
		changed := g.Clone()
		if fold(changed, &ocsv1.Event{Changes: []*ocsv1.Change{pair[1]}}) != nil || !r.unseen(g, changed) ||
			changed.Notation() == g.Notation() {
			continue
		}
		was, other = append(was, pair[0]), append(other, pair[1])
	}
	if len(other) == 0 {
		return nil
	}
	if r.other {
		was = other
	}
	return &ocsv1.Event{Changes: was}
}

// unseen reports whether two positions look the same to viewers who do not hold the seat.
func (r *veiled) unseen(a, b rules.Game) bool {
	viewers := []rules.Viewer{rules.Spectator}
	for i := range r.About().Seats {
		if rules.Seat(i) != r.seat {
			viewers = append(viewers, rules.SeatViewer(rules.Seat(i)))
		}
	}
	for _, v := range viewers {
		if !same(a.View(v), b.View(v)) || !same(a.Board(v, rules.English), b.Board(v, rules.English)) {
			return false
		}
	}
	return true
}

func same(a, b proto.Message) bool {
	x, _ := proto.MarshalOptions{Deterministic: true}.Marshal(a)
	y, _ := proto.MarshalOptions{Deterministic: true}.Marshal(b)
	return bytes.Equal(x, y)
}

// changes are pairs of changes: one states how something is, the other states it otherwise.
func (r *veiled) changes(view *ocsv1.Position) (list [][2]*ocsv1.Change) {
	id := r.About().SeatID(r.seat)
	unit := func(a, b *ocsv1.UnitChange) {
		list = append(list, [2]*ocsv1.Change{{Kind: &ocsv1.Change_Unit{Unit: a}}, {Kind: &ocsv1.Change_Unit{Unit: b}}})
	}
	for _, u := range view.Units {
		switch {
		case u.Seat != id:
		case r.kind == "steps":
			unit(&ocsv1.UnitChange{Unit: u.Id, Lost: &u.Lost},
				&ocsv1.UnitChange{Unit: u.Id, Lost: proto.Uint32(1 - min(u.Lost, 1))})
		case r.kind == "stocks":
			stocks := ocsv1.Stocks_STOCKS_LOW
			if u.Stocks == stocks {
				stocks = ocsv1.Stocks_STOCKS_EXHAUSTED
			}
			unit(&ocsv1.UnitChange{Unit: u.Id, Stocks: u.Stocks}, &ocsv1.UnitChange{Unit: u.Id, Stocks: stocks})
		case r.kind == "loads" && u.LoadT > 0:
			unit(&ocsv1.UnitChange{Unit: u.Id, LoadT: &u.LoadT},
				&ocsv1.UnitChange{Unit: u.Id, LoadT: proto.Uint32(u.LoadT - 1)})
		}
	}
	for _, h := range view.Hexes {
		if r.kind != "supply" {
			break
		}
		if int(r.seat) >= len(h.GroundT) || h.GroundT[r.seat] < 2 {
			continue
		}
		n := h.GroundT[r.seat]
		ground := func(n uint32) *ocsv1.Change {
			c := &ocsv1.HexChange{Hex: h.Id, BlueT: &n}
			if id == "red" {
				c.BlueT, c.RedT = nil, &n
			}
			return &ocsv1.Change{Kind: &ocsv1.Change_Hex{Hex: c}}
		}
		list = append(list, [2]*ocsv1.Change{ground(n), ground(n + 3)})
	}
	return list
}

// TestNoCallShowsWhatLiesUnderStacks is TestNoCallLeaks for what no command makes secret: the steps, stocks,
// loads and supply of OCS.
func TestNoCallShowsWhatLiesUnderStacks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("rules start no goroutines: the run without the race detector compares these")
	}
	for _, kind := range []string{"steps", "stocks", "supply", "loads"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			compared := 0
			for seed := uint64(0); compared == 0 && seed < 8; seed++ {
				a := &veiled{Ruleset: ocs.New(), kind: kind, seat: rules.Seat(seed % 2)}
				b := &veiled{Ruleset: a.Ruleset, kind: kind, seat: a.seat, other: true}
				p := newPair(t, a, seed, nil, b)
				compared += p.play()
				if p.leak != "" {
					t.Fatalf("a leak: %s", p.leak)
				}
			}
			if compared == 0 {
				t.Error("no pair of games ever differed, so the test proves nothing")
			}
			t.Logf("%d answers compared", compared)
		})
	}
}

// veil makes a command in both games, after which they differ in something hidden. Only the seat concerned may see the
// difference.
func (p *pair) veil(step int, seat, text string) bool {
	for i, g := range p.games {
		p.veils[i].armed = true
		if err := g.submit(seat, text, uuidOf("command", uint64(step))); err != nil {
			p.t.Fatalf("%s is listed, and refused: %v", text, err)
		}
		p.veils[i].armed = false
	}
	p.path, p.tried = append(p.path, seat+" "+text), append(p.tried, text)
	if !p.veils[0].done || !p.veils[1].done {
		return true
	}
	p.path[len(p.path)-1] += fmt.Sprintf(" and the %s of seat %d differ", p.veils[0].kind, p.veils[0].seat)
	p.outsiders = []string{}
	for _, who := range append(p.games[0].seats(), "spectator", "owner") {
		if who != p.set.About().SeatID(p.veils[0].seat) {
			p.outsiders = append(p.outsiders, who)
		}
	}
	return true
}
