package dice

import (
	"errors"
	"fmt"
)

// ErrUnstable says that a procedure asked for other dice when it was run again with the same ones.
var ErrUnstable = errors.New("dice: the procedure did not ask for the same dice again")

// LimitError says that a procedure has more outcomes than were allowed.
type LimitError struct{ Leaves int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("dice: the procedure has more than %d outcomes", e.Leaves)
}

// Enumerate runs a procedure once for each way that its dice can fall, in lexicographic order of the values, and
// after each run calls visit with the exact chance of it and its rolls. Chances of all visits sum to 1. A procedure
// that rolls nothing is one outcome of chance 1. It takes as many runs as there are outcomes.
//
// The procedure must depend on its dice alone and leave no trace that another run would see. rolls are good until
// visit returns. Enumerate stops with the first error of procedure, which names the dice that led to it, or of visit;
// with a [*LimitError] when there are more than maxLeaves outcomes; with [ErrChance] when a chance is below 1 in 2^64;
// with [ErrUnstable] when the procedure does not repeat itself.
func Enumerate(maxLeaves int, procedure func(Source) error, visit func(chance Chance, rolls []Roll) error) error {
	var b branch
	for leaves := 0; ; leaves++ {
		if leaves >= maxLeaves {
			return &LimitError{maxLeaves}
		}
		b.depth, b.err = 0, nil
		err := procedure(&b)
		if b.err != nil { // also when the procedure passed over it
			err = b.err
		} else if err == nil && b.depth < len(b.rolls) {
			err = ErrUnstable
		}
		if err != nil {
			return fmt.Errorf("after dice %s: %w", b.values(), err)
		}
		if err := visit(b.chance(), b.rolls); err != nil {
			return err
		}
		if !b.advance() {
			return nil
		}
	}
}

// branch is the source of one run: given values as far as they go, then ones.
type branch struct {
	rolls []Roll
	dens  []uint64 // of the chance up to and with each roll
	depth int
	err   error
}

func (b *branch) Roll(sides uint8, reason string) (uint8, error) {
	if b.err == nil {
		b.err = b.extend(sides, reason)
	}
	if b.err != nil {
		return 0, b.err
	}
	b.depth++
	return b.rolls[b.depth-1].Value, nil
}

func (b *branch) extend(sides uint8, reason string) error {
	if err := checkSides(sides, reason); err != nil {
		return err
	}
	if b.depth < len(b.rolls) {
		if r := b.rolls[b.depth]; r.Sides != sides || r.Reason != reason {
			return ErrUnstable
		}
		return nil
	}
	den, ok := product(b.chance().Den, uint64(sides))
	if !ok {
		return ErrChance
	}
	b.rolls = append(b.rolls, Roll{Index: uint32(b.depth), Sides: sides, Value: 1, Reason: reason})
	b.dens = append(b.dens, den)
	return nil
}

func (b *branch) chance() Chance {
	if len(b.dens) == 0 {
		return Chance{1, 1}
	}
	return Chance{1, b.dens[len(b.dens)-1]}
}

// advance turns to the next branch; false after the last one.
func (b *branch) advance() bool {
	for last := len(b.rolls) - 1; last >= 0; last-- {
		if r := &b.rolls[last]; r.Value < r.Sides {
			r.Value++
			return true
		}
		b.rolls, b.dens = b.rolls[:last], b.dens[:last]
	}
	return false
}

func (b *branch) values() string {
	values := make([]uint8, 0, b.depth)
	for _, r := range b.rolls[:b.depth] {
		values = append(values, r.Value)
	}
	return fmt.Sprint(values)
}
