package dice

import "fmt"

// Manual are dice that the players threw, in the order in which the rules ask for them.
type Manual struct {
	values []uint32
	used   int
}

// NewManual takes what the players sent, which is checked as it is used. It keeps the slice.
func NewManual(values []uint32) *Manual { return &Manual{values: values} }

// NeedError says that the players have to throw one more die than they sent.
type NeedError struct {
	Index  int // of the missing die, from 0
	Sides  uint8
	Reason string
	Given  int // dice sent
}

func (e *NeedError) Error() string {
	return fmt.Sprintf("expected a d%d for %s as die %d, but %d were given", e.Sides, e.Reason, e.Index+1, e.Given)
}

// ValueError says that a die cannot show what was sent.
type ValueError struct {
	Index  int // of the die, from 0
	Value  uint32
	Sides  uint8
	Reason string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("die %d is a d%d for %s and cannot show %d", e.Index+1, e.Sides, e.Reason, e.Value)
}

// ExtraError says that more dice were sent than the rules asked for.
type ExtraError struct {
	Given int // dice sent
	Used  int // dice asked for
}

func (e *ExtraError) Error() string {
	return fmt.Sprintf("%d dice were given, but only %d are needed", e.Given, e.Used)
}

// Roll returns the next value sent. A d10 sent as 0 shows 10. The error is a [*NeedError] when there are no more, a
// [*ValueError] when the value is beyond the sides, or a [*SidesError]; the same die is then asked for again.
func (m *Manual) Roll(sides uint8, reason string) (uint8, error) {
	if err := checkSides(sides, reason); err != nil {
		return 0, err
	}
	if m.used >= len(m.values) {
		return 0, &NeedError{Index: m.used, Sides: sides, Reason: reason, Given: len(m.values)}
	}
	value := m.values[m.used]
	if value == 0 && sides == 10 {
		value = 10
	}
	if value < 1 || value > uint32(sides) {
		return 0, &ValueError{Index: m.used, Value: m.values[m.used], Sides: sides, Reason: reason}
	}
	m.used++
	return uint8(value), nil
}

// Done is called after the last roll. The error is an [*ExtraError] when dice are left over.
func (m *Manual) Done() error {
	if m.used < len(m.values) {
		return &ExtraError{Given: len(m.values), Used: m.used}
	}
	return nil
}
