package dice

import (
	"errors"
	"fmt"
	"math/bits"
)

// Chance is an exact probability, Num in Den; this package makes them in lowest terms. The zero value is the chance 0.
type Chance struct{ Num, Den uint64 }

// ErrChance says that a probability is too fine to be written in 64 bits.
var ErrChance = errors.New("dice: chance does not fit into 64 bits")

// Add is the chance that one or the other of two things happens that exclude each other. The error is ErrChance.
func (c Chance) Add(o Chance) (Chance, error) {
	c, o = c.lowest(), o.lowest()
	common := gcd(c.Den, o.Den)
	den, ok1 := product(c.Den, o.Den/common)
	a, ok2 := product(c.Num, o.Den/common)
	b, ok3 := product(o.Num, c.Den/common)
	num, carry := bits.Add64(a, b, 0)
	if !ok1 || !ok2 || !ok3 || carry != 0 {
		return Chance{}, ErrChance
	}
	return Chance{num, den}.lowest(), nil
}

// Float is the chance as a number from 0 to 1, for display.
func (c Chance) Float() float64 { return float64(c.Num) / float64(max(c.Den, 1)) }

func (c Chance) String() string { return fmt.Sprintf("%d/%d", c.Num, max(c.Den, 1)) }

func (c Chance) lowest() Chance {
	d := max(gcd(c.Num, c.Den), 1)
	return Chance{c.Num / d, max(c.Den/d, 1)}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func product(a, b uint64) (uint64, bool) {
	hi, lo := bits.Mul64(a, b)
	return lo, hi == 0
}
