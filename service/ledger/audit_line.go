package ledger

import (
	"github.com/warledger/warledger/rules"
)

// usualStride is how many places lie between two positions that are kept at first.
const usualStride = 16

// auditLine is the line to the last place that was decided. A command is always decided on a place of this line, so an
// audit that goes back needs nothing else: what lies behind that place never comes back.
type auditLine struct {
	stride int
	places []linePlace
	kept   []keptPosition // by depth
}

// linePlace is what is kept of a place.
type linePlace struct {
	// data is its record, nil once nothing goes back any more.
	data []byte
	// waiting and turn are those of its position, and over is true if the game has ended there.
	waiting rules.Seats
	turn    int
	over    bool
}

// keptPosition is the position of the place at a depth of the line.
type keptPosition struct {
	depth int
	pos   rules.Game
}

// keep keeps the position of the last place if it is its turn, and lets others go: the further back, the fewer are
// kept. Between two of them lie at most as many places as behind them, so going back folds about as many places as it
// leaves for good, and all of them together cost about as much as the log is long.
func (l *auditLine) keep(depth int, pos rules.Game) {
	if depth%l.stride != 0 {
		return
	}
	l.kept = append(l.kept, keptPosition{depth, pos.Clone()})
	some := l.kept[:min(1, len(l.kept))]
	for i := 1; i < len(l.kept); i++ {
		if i+1 < len(l.kept) && l.kept[i+1].depth-some[len(some)-1].depth <= depth-l.kept[i+1].depth {
			continue
		}
		some = append(some, l.kept[i])
	}
	clear(l.kept[len(some):])
	l.kept = some
}

// back leaves what lies behind a depth, and returns the last position kept up to it and its depth. The position may be
// changed.
func (l *auditLine) back(depth int) (pos rules.Game, at int) {
	clear(l.places[depth+1:])
	l.places = l.places[:depth+1]
	for len(l.kept) > 1 && l.kept[len(l.kept)-1].depth > depth {
		l.kept[len(l.kept)-1] = keptPosition{}
		l.kept = l.kept[:len(l.kept)-1]
	}
	last := l.kept[len(l.kept)-1]
	return last.pos.Clone(), last.depth
}

// end lets go of what going back needs.
func (l *auditLine) end() {
	if l.kept == nil {
		return
	}
	l.kept = nil
	for i := range l.places {
		l.places[i].data = nil
	}
}
