package rules

import (
	"crypto/sha256"
	"errors"
	"math/big"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules/dice"
)

// Hider is what a referee with secrets can do beside its contract: say what a viewer knows. A preview is made of that
// and of nothing else. A referee that hides something must be one.
type Hider[P any] interface {
	// Known is a copy of a position in which everything hidden from the viewer has a value that does not depend on what
	// it is, so that positions which the viewer cannot tell apart are equal. assumed says in words what was put in the
	// place of what is hidden; it is empty, and only then, if nothing is hidden from the viewer that could matter.
	Known(p P, v Viewer) (known P, assumed []Text)
}

// Forecaster is what a referee can do beside its contract: say what follows from a command beyond its own dice.
type Forecaster[P, C any] interface {
	// Policies by which choices within forecasts are made, in a fixed order.
	Policies() []Policy
	// Forecast says what follows from a command that passed Check. The position is what the seat knows; it must not be
	// changed. Errors are those of the study's Stop.
	Forecast(p P, seat Seat, c C, s Study) ([]Forecast, error)
}

// Study is how hard a preview may look.
type Study struct {
	// Policies by which choices are made.
	Policies Policies
	// Ways is how many ways of a command's dice are counted before it is sampled instead; 2,000 if 0.
	Ways int
	// States is how many states of a procedure are walked before it is sampled instead; 20,000 if 0.
	States int
	// Samples are drawn of what is too much to count; 2,000 if 0.
	Samples int
	// Stop is asked again and again whether to give up; nil never gives up.
	Stop func() error
}

func (s Study) withDefaults() Study {
	for _, d := range []struct {
		n     *int
		usual int
	}{{&s.Ways, 2000}, {&s.States, 20_000}, {&s.Samples, 2000}} {
		if *d.n <= 0 {
			*d.n = d.usual
		}
	}
	return s
}

// Halt is the error by which to give up; nil to go on.
func (s Study) Halt() error {
	if s.Stop == nil {
		return nil
	}
	return s.Stop()
}

// PreviewStop says why nothing after the events of a preview is certain.
type PreviewStop uint8

// The reasons.
const (
	// StopDecision: somebody decides.
	StopDecision PreviewStop = 1 + iota
	// StopDice: a die is thrown.
	StopDice
	// StopHidden: what follows depends on what is hidden from the seat.
	StopHidden
	// StopOver: the game is over.
	StopOver
)

// Preview is what a command would do, as far as its seat can know.
type Preview struct {
	// Events that would happen whatever the dice, as the seat may see them.
	Events []proto.Message
	// Stop says why they end there.
	Stop PreviewStop
	// Waiting is the set of seats that would then have to decide, as far as the seat may know, if
	// it stops at a decision.
	Waiting Seats
	// Ending says how the game would have ended, if it is over.
	Ending *Ending
	// Assumptions are what was put in the place of what is hidden from the seat.
	Assumptions []Text
	// Forecasts are what follows by chance: the dice of the command itself, if it throws any, and then
	// what the ruleset adds.
	Forecasts []Forecast
}

// errHidden and errDie end the run of a preview.
var (
	errHidden = errors.New("rules: what follows is hidden")
	errDie    = errors.New("rules: a die is thrown")
)

// noDice are the dice of what is certain.
type noDice struct{}

func (noDice) Roll(uint8, string) (uint8, error) { return 0, errDie }

// previewer makes one preview.
type previewer[P Position[P], C any, E proto.Message] struct {
	ref    Referee[P, C, E]
	sc     Scenario
	known  P
	seat   Seat
	c      C
	veiled bool // something is hidden from the seat
	study  Study
	prefix int  // events that are certain
	others bool // another seat is asked something in what was looked at, or may be
}

// known is a copy of a position as a viewer knows it.
func known[P Position[P], C any, E proto.Message](ref Referee[P, C, E], p P, v Viewer) (P, []Text) {
	if h, ok := ref.(Hider[P]); ok {
		return h.Known(p, v)
	}
	return p.Clone(), nil
}

// preview is the kernel's part of [Game.Preview]. It decides legality by Check alone.
func preview[P Position[P], C any, E proto.Message](
	ref Referee[P, C, E], sc Scenario, p P, seat Seat, c C, s Study,
) (*Preview, error) {
	if r := check(ref, p, seat, c); r != nil {
		return nil, r
	}
	v := &previewer[P, C, E]{ref: ref, sc: sc, seat: seat, c: c, study: s.withDefaults()}
	out := new(Preview)
	v.known, out.Assumptions = known(ref, p, SeatViewer(seat))
	v.veiled = len(out.Assumptions) > 0
	if v.veiled && check(ref, v.known, seat, c) != nil {
		out.Stop = StopHidden // legal, but not with what was put in the place of what is hidden
		return out, nil
	}
	end, events, err := v.run(noDice{})
	out.Events, v.prefix = events, len(events)
	switch {
	case errors.Is(err, errHidden):
		out.Stop = StopHidden
	case errors.Is(err, errDie):
		out.Stop = StopDice
		f, err := v.dice()
		if err != nil {
			return nil, err
		}
		out.Forecasts = append(out.Forecasts, *f)
	case err != nil:
		return nil, err
	default:
		if out.Stop, out.Ending = StopOver, ref.Ending(end); out.Ending == nil {
			out.Stop, out.Waiting = StopDecision, waitingFor(ref.Decisions(end), SeatViewer(seat))
		}
	}
	if f, ok := ref.(Forecaster[P, C]); ok {
		if len(v.study.Policies.values) == 0 {
			v.study.Policies, _ = NewPolicies(f.Policies(), nil)
		}
		more, err := f.Forecast(v.known, seat, c, v.study)
		if err != nil {
			return nil, err
		}
		out.Forecasts, v.others = append(out.Forecasts, more...), v.others || len(more) > 0
	}
	if d, ok := ref.(Delegate); ok && !v.others {
		out.Assumptions = withoutOrders(out.Assumptions, d)
	}
	for i := range out.Forecasts {
		out.Forecasts[i].Shorten()
	}
	return out, nil
}

// waitingFor are the seats that must decide, as far as the viewer may know.
func waitingFor(list []Decision, v Viewer) (seats Seats) {
	for _, d := range list {
		if !d.Optional && v.MaySee(d.Audience) {
			seats |= SeatsOf(d.Seat)
		}
	}
	return seats
}

// run plays the command on a copy of what is known, up to the next decision, and gives the events
// that the seat may see.
func (v *previewer[P, C, E]) run(src dice.Source) (P, []proto.Message, error) {
	end, out := v.known.Clone(), new(Outcome)
	x := Exec[P, E]{Pos: end, evolve: v.ref.Evolve, src: src, out: out, veiled: v.veiled, viewer: v.seat}
	err := x.carry(v.ref.About().Name, func() { v.ref.Play(&x, v.seat, v.c) }, stepper(v.ref, &x))
	v.others = v.others || errors.Is(err, errHidden) || err == nil && asksOthers(v.ref.Decisions(end), v.seat)
	var seen []proto.Message
	for _, e := range out.Events {
		if SeatViewer(v.seat).MaySee(e.Audience) {
			seen = append(seen, e.Event)
		}
	}
	return end, seen, err
}

// fate is one way in which the dice of a command can come out, as the seat sees it.
type fate struct {
	// told is what all runs that led there have to tell, and example what the first has, both without
	// what is certain anyway.
	told, example []Text
	weight        *big.Rat
	hits          int
}

// fates are all of them, in the order in which they came up.
type fates struct {
	list  []*fate
	index map[[sha256.Size]byte]*fate
}

// dice is the forecast of the command's own dice: what the seat would see after each way that they fall, equal
// sights counted together.
func (v *previewer[P, C, E]) dice() (*Forecast, error) {
	all := fates{index: map[[sha256.Size]byte]*fate{}}
	f := &Forecast{Kind: ForecastDice, Title: v.ref.Describe(v.known, v.seat, v.c).Label, Method: MethodExact}
	var end P
	var events []proto.Message
	var cut bool
	play := func(src dice.Source) (err error) {
		if err := v.study.Halt(); err != nil {
			return err
		}
		end, events, err = v.run(src)
		if cut = errors.Is(err, errHidden); cut {
			return nil
		}
		return err
	}
	err := dice.Enumerate(v.study.Ways, play, func(chance dice.Chance, _ []dice.Roll) error {
		f.Trials++
		at := all.add(v.sight(end, cut), v.tell(events))
		at.weight.Add(at.weight, ratio(chance))
		return nil
	})
	var limit *dice.LimitError
	if errors.As(err, &limit) || errors.Is(err, dice.ErrChance) {
		all, f.Method, f.Trials = fates{index: map[[sha256.Size]byte]*fate{}}, MethodSampled, v.study.Samples
		err = nil
		for i := 0; i < f.Trials && err == nil; i++ {
			if err = play(dice.NewSeeded(uint64(i) + 1)); err == nil {
				all.add(v.sight(end, cut), v.tell(events))
			}
		}
	}
	if err != nil {
		return nil, err
	}
	v.outcomes(f, all.list)
	return f, nil
}

// outcomes puts fates in order, the likeliest first.
func (v *previewer[P, C, E]) outcomes(f *Forecast, list []*fate) {
	everywhere := inAll(list)
	for _, x := range list {
		o := ForecastOutcome{Story: x.story(everywhere)}
		if f.Method == MethodExact {
			o.Chance = exactly(x.weight)
		} else {
			o.Chance = Sampled(x.hits, f.Trials)
		}
		f.Outcomes = append(f.Outcomes, o)
	}
	slices.SortStableFunc(f.Outcomes, func(a, b ForecastOutcome) int { return compareChance(b.Chance, a.Chance) })
	for i := range f.Outcomes {
		f.Outcomes[i].ID = strconv.Itoa(i + 1)
	}
}

// sight is what the seat sees of a position, in bytes that are equal if it is.
func (v *previewer[P, C, E]) sight(end P, cut bool) [sha256.Size]byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(v.ref.View(end, SeatViewer(v.seat)))
	if err != nil {
		panic("rules: a view that cannot be encoded: " + err.Error())
	}
	if cut {
		data = append(data, 1)
	}
	return sha256.Sum256(data)
}

// tell narrates what is not certain of a run.
func (v *previewer[P, C, E]) tell(events []proto.Message) (list []Text) {
	for _, e := range events[min(v.prefix, len(events)):] {
		if t := v.ref.Narrate(v.sc, e.(E)); t.Key != "" {
			list = append(list, t)
		}
	}
	return list
}

func (f *fates) add(key [sha256.Size]byte, texts []Text) *fate {
	at, ok := f.index[key]
	if !ok {
		at = &fate{told: texts, example: texts, weight: new(big.Rat)}
		f.index[key] = at
		f.list = append(f.list, at)
	} else {
		at.told = commonTexts(at.told, texts)
	}
	at.hits++
	return at
}

// commonTexts are the texts of one run that another tells as well, in its order. Where they differ, as in what was
// rolled, an ellipsis stands.
func commonTexts(one, other []Text) (common []Text) {
	used := make([]bool, len(other))
	for _, t := range one {
		at := -1
		for i, o := range other {
			if !used[i] && sameSentence(t, o) && (at < 0 || slices.Equal(t.Args, o.Args)) {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		used[at] = true
		common = append(common, blurred(t, other[at]))
	}
	return common
}

// sameSentence reports whether two texts differ at most in what fills their places.
func sameSentence(a, b Text) bool {
	return a.Key == b.Key && slices.EqualFunc(a.Args, b.Args, func(x, y Arg) bool { return x.Name == y.Name })
}

func blurred(a, b Text) Text {
	if slices.Equal(a.Args, b.Args) {
		return a
	}
	out := Text{Key: a.Key, Args: slices.Clone(a.Args)}
	for i, arg := range a.Args {
		if arg != b.Args[i] {
			out.Args[i] = Arg{Name: arg.Name, Words: Words{En: "…", Ja: "…"}}
		}
	}
	return out
}

// inAll are the texts that every fate has: they tell nothing of one among several.
func inAll(list []*fate) (texts []Text) {
	if len(list) < 2 {
		return nil
	}
	for _, t := range list[0].told {
		if !slices.ContainsFunc(list[1:], func(x *fate) bool { return !x.tells(t) }) {
			texts = append(texts, t)
		}
	}
	return texts
}

func (x *fate) tells(t Text) bool { return slices.ContainsFunc(x.told, t.equal) }

func (t Text) equal(o Text) bool { return t.Key == o.Key && slices.Equal(t.Args, o.Args) }

// story tells what all runs have in common and other fates have not; all that they have in common if there is nothing
// else; the first run if there is nothing in common.
func (x *fate) story(everywhere []Text) []Text {
	own := slices.DeleteFunc(slices.Clone(x.told),
		func(t Text) bool { return slices.ContainsFunc(everywhere, t.equal) })
	switch {
	case len(own) > 0:
		return own
	case len(x.told) > 0:
		return x.told
	}
	return x.example
}

func ratio(c dice.Chance) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(c.Num), new(big.Int).SetUint64(max(c.Den, 1)))
}
