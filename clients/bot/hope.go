package bot

import "context"

// hopeless is the chance below which a turn counts as without hope, and hopelessTurns how many such turns in a row make
// a player give up: one bad roll is no reason.
const (
	hopeless      = 0.02
	hopelessTurns = 3
)

// hope is what a bot thought of its seat's chances, asked once in each turn of the game.
type hope struct {
	turn int32
	// without counts the turns without hope, up to this one.
	without int
}

// add records the chance of a turn, and reports whether to give up.
func (h *hope) add(turn int32, chance float64) bool {
	h.turn = turn
	h.without++
	if chance >= hopeless {
		h.without = 0
	}
	return h.without >= hopelessTurns
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
