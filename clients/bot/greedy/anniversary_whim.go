package greedy

import (
	"math"
	"math/rand/v2"

	"github.com/warledger/warledger/clients/bot"
)

// Whimsical is a bot that can vary its style by whims: its plans are then as sensible, but different.
type Whimsical interface {
	bot.Bot
	// Whim returns a bot as [Fresh] does, with whims. The number decides which.
	Whim(number, seed uint64) bot.Bot
}

// Bounds of a general's whims.
const (
	// fancy is how far apart the worth of spaces is drawn: the standard deviation of its logarithm.
	fancy = 0.6
	// nerve is by how much the chance of success that an attack must have may be less or more.
	nerve = 0.1
)

// Whim begins a game as a general who is bolder or more careful by chance, and likes some spaces better than others.
func (g *general) Whim(number, seed uint64) bot.Bot {
	one := g.Fresh(seed).(*general)
	draw := rand.New(rand.NewPCG(number, 0x7768696d))
	shift := nerve * (2*draw.Float64() - 1)
	one.sure, one.surer = min(0.98, one.sure+shift), min(0.98, one.surer+shift)
	one.fear *= math.Exp(draw.NormFloat64())
	one.gain += draw.Float64() - 0.5
	one.whim, one.taste = number, nil
	return one
}

// tastes multiply the worth of each space; nil without whims.
func (g *general) tastes(spaces int) []float64 {
	if g.whim != 0 && len(g.taste) != spaces {
		draw := rand.New(rand.NewPCG(g.whim, 0x7461737465))
		g.taste = make([]float64, spaces)
		for s := range g.taste {
			g.taste[s] = math.Exp(fancy * draw.NormFloat64())
		}
	}
	return g.taste
}
