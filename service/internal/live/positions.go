package live

import (
	"sync"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// firstSpacing is how many places lie between two kept positions of a line, as long as they are few enough.
const firstSpacing = 16

// positions keeps some positions of the past, so that any other is a few folds away. Kept positions are never changed.
// The spacing doubles when there would be too many.
type positions struct {
	mu      sync.Mutex
	limit   int
	spacing int
	kept    map[uint64]keptPosition
	recent  [4]recentPosition
	turn    int
}

type keptPosition struct {
	depth int
	game  rules.Game
}

type recentPosition struct {
	at   uint64
	game rules.Game
}

func newPositions(limit int) *positions {
	return &positions{limit: limit, spacing: firstSpacing, kept: make(map[uint64]keptPosition)}
}

// pass is told of every new position of a line; it keeps some.
func (p *positions) pass(at uint64, depth int, game rules.Game) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if depth%p.spacing != 0 {
		return
	}
	p.kept[at] = keptPosition{depth, game}
	for len(p.kept) > p.limit && p.spacing < 1<<30 {
		p.spacing *= 2
		for at, k := range p.kept {
			if k.depth%p.spacing != 0 {
				delete(p.kept, at)
			}
		}
		if p.spacing > depth { // what is left are many branches from the first places
			p.drop(len(p.kept) - p.limit)
		}
	}
}

func (p *positions) drop(n int) {
	for at, k := range p.kept {
		if n <= 0 {
			return
		}
		if k.depth > 0 {
			delete(p.kept, at)
			n--
		}
	}
}

// wants reports whether pass would keep a position of that depth.
func (p *positions) wants(depth int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return depth%p.spacing == 0
}

// count is how many positions are kept.
func (p *positions) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.kept) + len(p.recent)
}

// remember keeps a position that was asked for, for a little while.
func (p *positions) remember(at uint64, game rules.Game) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.recently(at) != nil {
		return
	}
	p.recent[p.turn] = recentPosition{at, game}
	p.turn = (p.turn + 1) % len(p.recent)
}

// nearest gives a place and the closest position at or before it on its line, and the places between, oldest first.
// Without any the game is nil and all places of the line are to be folded.
func (p *positions) nearest(tree *ledger.Tree, place uint64) (game rules.Game, at uint64, between []uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for v := place; v != 0; v = tree.Parent(v) {
		if k, ok := p.kept[v]; ok {
			game, at = k.game, v
			break
		}
		if r := p.recently(v); r != nil {
			game, at = r, v
			break
		}
		between = append(between, v)
	}
	for i, j := 0, len(between)-1; i < j; i, j = i+1, j-1 {
		between[i], between[j] = between[j], between[i]
	}
	return game, at, between
}

func (p *positions) recently(at uint64) rules.Game {
	for _, r := range p.recent {
		if r.at == at && r.game != nil {
			return r.game
		}
	}
	return nil
}
