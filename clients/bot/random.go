package bot

import (
	"context"
	"math/rand/v2"
)

// NewRandom makes a bot that takes any action, all alike likely, and never an offer. The same seed takes the same ones.
func NewRandom(seed uint64) Bot {
	return &random{rand.New(rand.NewPCG(seed, 0x6f7574706f7374))}
}

type random struct{ source *rand.Rand }

// Choose draws until what comes is no offer. Offers are few, so that is soon; an unlucky run ends with the list itself.
func (b *random) Choose(_ context.Context, v View) (Choice, error) {
	n := v.Len()
	for range 8 {
		if n == 0 {
			break
		}
		if i := b.source.IntN(n); !v.Offer(i) {
			return Choice{Action: i}, nil
		}
	}
	var rest []int
	for i := range n {
		if !v.Offer(i) {
			rest = append(rest, i)
		}
	}
	if len(rest) == 0 {
		return Choice{}, ErrNoAction
	}
	return Choice{Action: rest[b.source.IntN(len(rest))]}, nil
}
