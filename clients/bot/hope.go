package bot

import (
	"context"
	"slices"
)

// hopeless is the chance below which a turn counts as without hope, and hopelessTurns how many such turns in a row make
// a player give up: one bad roll is no reason.
const (
	hopeless      = 0.02
	hopelessTurns = 3
)

// hope is what a bot thought of its seat's chances, asked once in each turn of the game.
type hope struct {
	turn int32
	// judged holds the verdicts on the turns up to this one, in order.
	judged []verdict
}

// verdict says whether a turn was without hope.
type verdict struct {
	turn    int32
	without bool
}

// add records the chance of a turn, and reports whether to give up. A turn that is played again after an undo counts
// once, as do later ones that the undo took back.
func (h *hope) add(turn int32, chance float64) bool {
	h.turn = turn
	h.judged = slices.DeleteFunc(h.judged, func(v verdict) bool { return v.turn >= turn })
	h.judged = append(h.judged, verdict{turn, chance < hopeless})
	last := h.judged[max(0, len(h.judged)-hopelessTurns):]
	return len(last) == hopelessTurns && !slices.ContainsFunc(last, func(v verdict) bool { return !v.without })
}

// givesUp reports whether the player gives up now.
func (p *Player) givesUp(ctx context.Context, v *remoteView) (bool, error) {
	judge, ok := p.Bot.(Judge)
	turn := v.game.GetTurn()
	if !ok || !p.GivesUp || turn == p.hope.turn { // set-up is turn 0: nobody gives up there
		return false, nil
	}
	chance, err := judge.Chance(ctx, v)
	if err != nil {
		return false, err
	}
	return p.hope.add(turn, chance), nil
}
