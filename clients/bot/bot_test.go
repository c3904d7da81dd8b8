package bot_test

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// shown is a view made of a list.
type shown []*boardv1.Action

func (shown) Ruleset() string                               { return "toy" }
func (shown) Seat() string                                  { return "red" }
func (v shown) Len() int                                    { return len(v) }
func (v shown) Action(i int) *boardv1.Action                { return v[i] }
func (v shown) Offer(i int) bool                            { return v[i].Offer }
func (shown) Board(context.Context) (*boardv1.Board, error) { return &boardv1.Board{}, nil }
func (shown) Map(context.Context) (*boardv1.Map, error)     { return &boardv1.Map{}, nil }
func does(kind string) *boardv1.Action                      { return &boardv1.Action{Kind: kind} }
func offers(kind string) *boardv1.Action                    { return &boardv1.Action{Kind: kind, Offer: true} }
func greedyBot(t *testing.T, seed uint64) bot.Bot           { return must(t)(greedy.New("toy", seed)) }
func must(t *testing.T) func(b bot.Bot, err error) bot.Bot {
	return func(b bot.Bot, err error) bot.Bot {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func TestBotsLeaveOffersAlone(t *testing.T) {
	t.Parallel()
	v := shown{offers("draw"), offers("concede"), does("end"), offers("accept"), offers("draw"), offers("draw"),
		offers("draw")}
	for seed := range uint64(200) {
		for name, b := range map[string]bot.Bot{"random": bot.NewRandom(seed), "greedy": greedyBot(t, seed)} {
			if c, err := b.Choose(t.Context(), v); err != nil || c.Action != 2 {
				t.Fatalf("%s with seed %d chose %+v, %v", name, seed, c, err)
			}
		}
	}
}

func TestBotsWithoutAnActionSaySo(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]bot.Bot{"random": bot.NewRandom(1), "greedy": greedyBot(t, 1)} {
		for _, v := range []shown{{}, {offers("draw"), offers("concede")}} {
			if _, err := b.Choose(t.Context(), v); !errors.Is(err, bot.ErrNoAction) {
				t.Errorf("%s of %d actions: %v", name, len(v), err)
			}
		}
	}
}

func TestRandomTakesEverythingAndRepeats(t *testing.T) {
	t.Parallel()
	v := shown{does("a"), does("b"), offers("draw"), does("c"), does("d")}
	counts := make([]int, len(v))
	a, b := bot.NewRandom(7), bot.NewRandom(7)
	for range 4000 {
		x, errX := a.Choose(t.Context(), v)
		y, errY := b.Choose(t.Context(), v)
		if errX != nil || errY != nil || x != y {
			t.Fatalf("%v and %v, %v, %v", x, y, errX, errY)
		}
		counts[x.Action]++
	}
	for i, n := range counts {
		if want := !v[i].Offer; want != (n > 850 && n < 1150) || !want && n > 0 {
			t.Errorf("action %d was taken %d times of 4000", i, n)
		}
	}
}

// reticent has actions that cost too much to spell out.
type reticent struct{ shown }

func (reticent) Action(int) *boardv1.Action { panic("an action is spelt out") }

func TestRandomSpellsNothingOut(t *testing.T) {
	t.Parallel()
	v := reticent{shown{offers("draw"), does("a"), offers("concede")}}
	for seed := range uint64(100) {
		if c, err := bot.NewRandom(seed).Choose(t.Context(), v); err != nil || c.Action != 1 {
			t.Fatalf("seed %d: %+v, %v", seed, c, err)
		}
	}
}

func TestGreedyTakesTheBest(t *testing.T) {
	t.Parallel()
	v := shown{does("end"), does("move"), does("attack"), does("rally"), does("scout")}
	if c, err := greedyBot(t, 1).Choose(t.Context(), v); err != nil || v[c.Action].Kind != "rally" {
		t.Errorf("chose %+v, %v", c, err)
	}
	if _, err := greedy.New("chess", 1); err == nil {
		t.Error("made a greedy bot for chess")
	}
	ties := map[int]bool{}
	for seed := range uint64(50) {
		c, err := greedyBot(t, seed).Choose(t.Context(), shown{does("move"), does("end"), does("move"), does("move")})
		if err != nil {
			t.Fatal(err)
		}
		ties[c.Action] = true
	}
	if len(ties) != 3 || ties[1] {
		t.Errorf("among equals it chose %v", ties)
	}
}

// match sets up a match of the toy.
func match(t *testing.T, seed uint64, bots ...bot.Bot) *bot.Match {
	t.Helper()
	set := toy.Ruleset()
	sc, faults := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	if faults.Fatal() {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(map[string]string{"pursuit": "true"})
	if err != nil {
		t.Fatal(err)
	}
	return &bot.Match{Ruleset: set, Scenario: sc, Options: o, Bots: bots, Dice: dice.NewSeeded(seed)}
}

func TestAMatchIsCutOffAfterItsTurns(t *testing.T) {
	t.Parallel()
	m := match(t, 1, bot.NewRandom(1), bot.NewRandom(2))
	m.MaxTurns = 1
	r, err := m.Play(t.Context())
	if !bot.IsCutOff(err) || r.Game.Turn() != 2 || r.Decisions == 0 {
		t.Errorf("it ended in turn %d after %d decisions: %v", r.Game.Turn(), r.Decisions, err)
	}
}

func TestMatchesEndAndRepeat(t *testing.T) {
	t.Parallel()
	wins := 0
	for seed := range uint64(100) {
		play := func() bot.Result {
			r, err := match(t, seed, greedyBot(t, seed), bot.NewRandom(seed)).Play(t.Context())
			if err != nil || r.Ending == nil || r.Refusals != 0 || r.Decisions == 0 || r.Rolls == 0 || r.Turns == 0 {
				t.Fatalf("seed %d: %+v, %v", seed, r, err)
			}
			return r
		}
		a, b := play(), play()
		if a.Game.Hash() != b.Game.Hash() || a.Decisions != b.Decisions {
			t.Fatalf("seed %d gives different games", seed)
		}
		if a.Ending.Winners.Has(toy.Red) {
			wins++
		}
	}
	if wins < 55 {
		t.Errorf("the greedy bot won %d of 100 games against chance", wins)
	}
}

func TestMatchLimits(t *testing.T) {
	t.Parallel()
	m := match(t, 1, bot.NewRandom(1), bot.NewRandom(2))
	m.MaxDecisions = 3
	if r, err := m.Play(t.Context()); !bot.IsCutOff(err) || r.Decisions != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := match(t, 1, bot.NewRandom(1), bot.NewRandom(2)).Play(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	if _, err := match(t, 1, bot.NewRandom(1)).Play(t.Context()); err == nil {
		t.Error("one bot played two seats")
	}
}

// odd chooses what it is told.
type odd struct{ choice bot.Choice }

func (o odd) Choose(context.Context, bot.View) (bot.Choice, error) { return o.choice, nil }

func TestOddChoicesAreErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		choice  bot.Choice
		refused int
	}{
		"below":     {bot.Choice{Action: -1}, 0},
		"above":     {bot.Choice{Action: 1000}, 0},
		"nonsense":  {bot.Choice{Notation: "fly"}, 0},
		"forbidden": {bot.Choice{Notation: "end"}, 1},
	} {
		r, err := match(t, 1, odd{c.choice}, bot.NewRandom(1)).Play(t.Context())
		var refusal *rules.Refusal
		if err == nil || r.Refusals != c.refused || c.refused == 1 && !errors.As(err, &refusal) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// TestViewsOfAMatchKeepSecrets: the board of a match hides what the seat may not see.
func TestViewsOfAMatchKeepSecrets(t *testing.T) {
	t.Parallel()
	spy := &spying{t: t}
	if _, err := match(t, 3, bot.NewRandom(1), spy).Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	if spy.looks == 0 {
		t.Error("the spy never looked")
	}
}

type spying struct {
	t     *testing.T
	looks int
}

func (s *spying) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	b, err := v.Board(ctx)
	if err != nil {
		return bot.Choice{}, err
	}
	again, _ := v.Board(ctx)
	if !proto.Equal(b, again) {
		s.t.Error("two looks at one position differ")
	}
	s.looks++
	for _, p := range b.Pieces {
		if p.Id == "plan-red" {
			s.t.Error("blue sees red's plan")
		}
	}
	for i := range v.Len() {
		if v.Action(i).Kind != "scout" && !v.Action(i).Offer {
			return bot.Choice{Action: i}, nil
		}
	}
	return bot.Choice{}, bot.ErrNoAction
}
