package rules

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules/dice"
)

// Course is a procedure that is followed to its end over all ways in which its dice can fall, with every choice fixed.
type Course[P, C any, K comparable] struct {
	// Choose is the policy: who answers what the position asks for, and how. What it gives must pass Check.
	Choose func(p P) (Seat, C)
	// Over reports whether the procedure has come to its end.
	Over func(p P) bool
	// Key is equal for positions that make no difference to what follows nor to what is asked of the ends.
	Key func(p P) K
	// Begun is true if the position is in the course already, so that no command begins it.
	Begun bool
}

// Try does something to a position, without the automatic steps that follow. Events and dice are added to out. The
// error is the source's; then the position is spoiled.
func Try[P Position[P], C any, E proto.Message](
	ref Referee[P, C, E], p P, src dice.Source, out *Outcome, do func(*Exec[P, E]),
) error {
	x := Exec[P, E]{Pos: p, evolve: ref.Evolve, src: src, out: out}
	return x.carry(ref.About().Name, func() { do(&x) }, func() bool { return false })
}

// Ends are the positions in which a course can end, with their chances.
type Ends[P any] struct {
	// Method by which the chances were found: exact, or sampled if there were too many states.
	Method Method
	// Trials are the states that were walked, or the samples.
	Trials int
	list   []end[P]
}

type end[P any] struct {
	p      P
	weight *big.Rat // exact
	hits   int      // sampled
}

// Unfold carries a command out on a copy of a position and follows the course from there, one step at a time, merging
// equal positions, so that long procedures with many dice have few states. It samples when there are more states than
// the study allows, or on average more than ten ways of the dice in each. Cost: playing a step once for each value of
// its dice in each state.
func Unfold[P Position[P], C any, E proto.Message, K comparable](
	ref Referee[P, C, E], start P, seat Seat, c C, course Course[P, C, K], s Study,
) (*Ends[P], error) {
	u := &unfolding[P, C, E, K]{ref: ref, course: course, study: s.withDefaults()}
	u.first.seat, u.first.c = seat, c
	ends, err := u.exact(start)
	var limit *dice.LimitError
	if errors.As(err, &limit) || errors.Is(err, dice.ErrChance) {
		ends, err = u.sample(start)
	}
	return ends, err
}

type unfolding[P Position[P], C any, E proto.Message, K comparable] struct {
	ref    Referee[P, C, E]
	course Course[P, C, K]
	study  Study
	first  struct {
		seat Seat
		c    C
	}
	ways int // of the dice that were played
}

// waysPerState is how many ways of the dice a state may have, on average.
const waysPerState = 10

// act takes one step in place: the command, the answer to a question, or what happens by itself.
func (u *unfolding[P, C, E, K]) act(p P, begins bool, src dice.Source) error {
	return Try(u.ref, p, src, new(Outcome), func(x *Exec[P, E]) {
		switch {
		case begins:
			u.ref.Play(x, u.first.seat, u.first.c)
		case u.ref.Waiting(p) != 0:
			seat, c := u.course.Choose(p)
			u.ref.Play(x, seat, c)
		case !u.ref.Step(x):
			panic("rules: a course of " + u.ref.About().Name + " neither ends nor goes on")
		}
	})
}

// exact walks over all states, layer by layer: those of a layer have come equally many steps.
func (u *unfolding[P, C, E, K]) exact(start P) (*Ends[P], error) {
	ends := &Ends[P]{Method: MethodExact}
	over := map[K]int{}
	layer := []end[P]{{p: start, weight: big.NewRat(1, 1)}}
	for begins := !u.course.Begun; len(layer) > 0; begins = false {
		var next []end[P]
		index := map[K]int{}
		for i := range layer {
			if err := u.study.Halt(); err != nil {
				return nil, err
			}
			if ends.Trials++; ends.Trials > u.study.States {
				return nil, &dice.LimitError{Leaves: u.study.States}
			}
			err := u.branch(&layer[i], begins, func(p P, k K, chance *big.Rat) {
				if u.course.Over(p) {
					ends.list = merge(ends.list, over, p, k, chance)
				} else {
					next = merge(next, index, p, k, chance)
				}
			})
			if err != nil {
				return nil, err
			}
		}
		layer = next
	}
	return ends, nil
}

// branch takes the next step of a state with all values of its dice, equal results counted together.
func (u *unfolding[P, C, E, K]) branch(from *end[P], begins bool, visit func(P, K, *big.Rat)) error {
	type leaf struct {
		p      P
		k      K
		chance dice.Chance
	}
	var leaves []leaf
	var now P
	err := dice.Enumerate(u.study.Ways, func(src dice.Source) error {
		now = from.p.Clone()
		return u.act(now, begins, src)
	}, func(chance dice.Chance, _ []dice.Roll) (err error) {
		if u.ways++; u.ways > waysPerState*u.study.States {
			return &dice.LimitError{Leaves: waysPerState * u.study.States}
		}
		k := u.course.Key(now)
		for i := range leaves {
			if leaves[i].k == k {
				leaves[i].chance, err = leaves[i].chance.Add(chance)
				return err
			}
		}
		leaves = append(leaves, leaf{now, k, chance})
		return nil
	})
	for _, l := range leaves {
		visit(l.p, l.k, new(big.Rat).Mul(from.weight, ratio(l.chance)))
	}
	return err
}

func merge[P any, K comparable](list []end[P], index map[K]int, p P, k K, chance *big.Rat) []end[P] {
	if i, ok := index[k]; ok {
		list[i].weight.Add(list[i].weight, chance)
		return list
	}
	index[k] = len(list)
	return append(list, end[P]{p: p, weight: chance})
}

// sample plays the course so many times with dice of its own, always the same ones.
func (u *unfolding[P, C, E, K]) sample(start P) (*Ends[P], error) {
	ends := &Ends[P]{Method: MethodSampled, Trials: u.study.Samples}
	index := map[K]int{}
	for i := range u.study.Samples {
		p, src := start.Clone(), dice.NewSeeded(uint64(i)+1)
		for begins := !u.course.Begun; begins || !u.course.Over(p); begins = false {
			if err := u.study.Halt(); err != nil {
				return nil, err
			}
			if err := u.act(p, begins, src); err != nil {
				return nil, err
			}
		}
		k := u.course.Key(p)
		at, ok := index[k]
		if !ok {
			at = len(ends.list)
			index[k] = at
			ends.list = append(ends.list, end[P]{p: p})
		}
		ends.list[at].hits++
	}
	return ends, nil
}

// bin collects ends that count as one.
type bin struct {
	weight *big.Rat
	hits   int
}

func (b *bin) add(weight *big.Rat, hits int) {
	if weight != nil {
		b.weight.Add(b.weight, weight)
	}
	b.hits += hits
}

func (e *Ends[P]) likelihood(b *bin) Likelihood {
	if e.Method == MethodExact {
		return exactly(b.weight)
	}
	return Sampled(b.hits, e.Trials)
}

// Outcomes counts the ends by name, the likeliest first.
func (e *Ends[P]) Outcomes(name func(P) (id string, label Text)) []ForecastOutcome {
	var list []ForecastOutcome
	var bins []*bin
	index := map[string]int{}
	for _, x := range e.list {
		id, label := name(x.p)
		at, ok := index[id]
		if !ok {
			at = len(list)
			index[id] = at
			list, bins = append(list, ForecastOutcome{ID: id, Label: label}), append(bins, &bin{weight: new(big.Rat)})
		}
		bins[at].add(x.weight, x.hits)
	}
	for i := range list {
		list[i].Chance = e.likelihood(bins[i])
	}
	slices.SortStableFunc(list, func(a, b ForecastOutcome) int { return compareChance(b.Chance, a.Chance) })
	return list
}

// Shares counts the ends by what they hold, the likeliest first. Counts must be in a fixed order, without what is 0.
func (e *Ends[P]) Shares(holds func(P) (label Text, counts []Count)) []Share {
	var list []Share
	var bins []*bin
	for _, x := range e.list {
		label, counts := holds(x.p)
		at := slices.IndexFunc(list, func(s Share) bool { return slices.Equal(s.Counts, counts) })
		if at < 0 {
			at = len(list)
			list, bins = append(list, Share{Label: label, Counts: counts}), append(bins, &bin{weight: new(big.Rat)})
		}
		bins[at].add(x.weight, x.hits)
	}
	for i := range list {
		list[i].Chance = e.likelihood(bins[i])
	}
	slices.SortStableFunc(list, func(a, b Share) int { return compareChance(b.Chance, a.Chance) })
	return list
}

// Expect is the expected value of a number, to be given a name. A sampled one has the normal interval of its mean.
func (e *Ends[P]) Expect(value func(P) int) Expectation {
	if e.Method == MethodExact {
		sum := new(big.Rat)
		for _, x := range e.list {
			sum.Add(sum, new(big.Rat).Mul(x.weight, big.NewRat(int64(value(x.p)), 1)))
		}
		v, _ := sum.Float64()
		return Expectation{Value: v, Exact: sum}
	}
	n, sum, squares := float64(e.Trials), 0.0, 0.0
	for _, x := range e.list {
		v := float64(value(x.p))
		sum += v * float64(x.hits)
		squares += v * v * float64(x.hits)
	}
	mean := sum / n
	half := z95 * math.Sqrt(max(0, squares/n-mean*mean)/max(1, n-1))
	return Expectation{Value: mean, Low: mean - half, High: mean + half}
}
