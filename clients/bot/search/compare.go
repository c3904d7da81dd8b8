package search

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules"
)

// line is a first action and a way to go on.
type line struct {
	choice bot.Choice
	// first is the notation of the first command; if it is empty, the style chooses. Commands themselves cannot be
	// moved from one position to another, because pieces may have other numbers in a world.
	first  string
	style  string
	values []float64
}

const (
	// worse is by how many standard errors of the mean difference a line must lag behind to be given up early.
	worse = 2.0
	// fewest is how many differences say anything.
	fewest = 5
	// most is how much of the budget of a decision is spent to end a pass that was begun within it, and mostPasses how
	// many passes there are at most.
	most, mostPasses = 1.25, 1_000
)

// compare plays lines on until the budget is spent, and returns the best. The first is returned unless another is
// better.
func (b *Bot) compare(ctx context.Context, root rules.Game, lines []*line) (*line, error) {
	lines = lines[:b.affordable(len(lines))]
	first, alive := lines[0], lines
	rounds := bits.Len(uint(len(lines) - 1))
	for round := 1; round <= rounds && len(alive) > 1; round++ {
		for len(alive) > 1 && len(first.values) < mostPasses && b.share() < float64(round)/float64(rounds) {
			if done, err := b.pass(ctx, root, alive); err != nil {
				return nil, err
			} else if !done {
				break
			}
			if b.craft.phases != nil && len(first.values) > 1 {
				alive = distinct(alive)
			}
			if len(first.values) >= fewest {
				alive = promising(alive)
			}
		}
		if round < rounds {
			alive = b.fewer(alive)
		}
	}
	best := first
	for _, l := range alive[1:] {
		d, e := difference(l, first)
		if len(l.values) > 1 && d > b.craft.margin*e && l.average() > best.average() {
			best = l
		}
	}
	return best, nil
}

// affordable is how many of some lines the budget of the decision pays for, by how long lines were so far: at least the
// first. What is not spent is saved for a decision that it suffices for.
func (b *Bot) affordable(n int) int {
	if b.played == 0 || b.budget.Positions <= 0 {
		return n
	}
	some := b.allowed * b.played / max(1, b.used+b.spent)
	if some < 2 {
		return 1
	}
	return min(n, some)
}

// pass plays all lines on once, with the same dice. It reports whether the budget was enough: if not, none of them
// counts.
func (b *Bot) pass(ctx context.Context, root rules.Game, lines []*line) (bool, error) {
	seed := b.chance.Next()
	root, firsts := b.world(root, lines, seed)
	values := make([]float64, len(lines))
	for i, l := range lines {
		var err error
		if values[i], err = b.play(ctx, root, l, firsts[i], seed); err != nil {
			return false, err
		}
		b.played++
		if b.share() > most {
			return false, nil
		}
	}
	for i, l := range lines {
		l.values = append(l.values, values[i])
	}
	return true, nil
}

// fewer gives up the lines that do worse. A plan of a phase that is left alone with the first stays. A single action
// that is left alone with the first is given up: the budgets of those rulesets were measured that way.
func (b *Bot) fewer(lines []*line) []*line {
	if b.craft.phases != nil && len(lines) == 2 {
		return lines
	}
	return half(lines)
}

// half keeps the first line and the better half of the others, rounded down.
func half(lines []*line) []*line {
	rest := slices.Clone(lines[1:])
	slices.SortStableFunc(rest, func(x, y *line) int { return cmp.Compare(y.average(), x.average()) })
	return append([]*line{lines[0]}, rest[:len(rest)/2]...)
}

// distinct leaves out lines that went exactly as another did with the same dice: they are the same plan.
func distinct(lines []*line) (kept []*line) {
	for _, l := range lines {
		if !slices.ContainsFunc(kept, func(k *line) bool { return slices.Equal(k.values, l.values) }) {
			kept = append(kept, l)
		}
	}
	return kept
}

// promising leaves out lines that are clearly worse than the best, or always as good as the first. The first stays.
func promising(lines []*line) []*line {
	best := slices.MaxFunc(lines, func(x, y *line) int { return cmp.Compare(x.average(), y.average()) })
	kept := lines[:1:1]
	for _, l := range lines[1:] {
		d, e := difference(best, l)
		if l != best && d > worse*e {
			continue
		}
		if d, e := difference(lines[0], l); d == 0 && e == 0 {
			continue
		}
		kept = append(kept, l)
	}
	if len(kept) == 2 && kept[1] != best { // the first against one that is no better
		if d, e := difference(kept[0], kept[1]); d > worse*e {
			kept = kept[:1]
		}
	}
	return kept
}

func (l *line) average() float64 {
	sum := 0.0
	for _, v := range l.values {
		sum += v
	}
	return sum / float64(max(1, len(l.values)))
}

// difference is by how much a line is better than another on average, and the standard error of that.
func difference(x, y *line) (mean, deviation float64) {
	n := float64(min(len(x.values), len(y.values)))
	sum, squares := 0.0, 0.0
	for i := range int(n) {
		d := x.values[i] - y.values[i]
		sum, squares = sum+d, squares+d*d
	}
	mean = sum / n
	if n < 2 {
		return mean, math.Inf(1)
	}
	return mean, math.Sqrt(max(0, squares/n-mean*mean) / (n - 1))
}
