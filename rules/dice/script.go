package dice

import "fmt"

// Script gives recorded rolls once more, so that a record can be decided again as it was.
type Script struct {
	rolls []Roll
	used  int
}

// NewScript takes the rolls of a record, in order. It keeps the slice.
func NewScript(rolls []Roll) *Script { return &Script{rolls: rolls} }

// ScriptError says that another die was asked for than was recorded.
type ScriptError struct {
	At     int // place of the roll, from 0
	Sides  uint8
	Reason string
	Have   *Roll // what was recorded there; nil when nothing was
}

func (e *ScriptError) Error() string {
	if e.Have == nil {
		return fmt.Sprintf("roll %d is now a d%d for %s, but the record has no more rolls", e.At, e.Sides, e.Reason)
	}
	return fmt.Sprintf("roll %d is now a d%d for %s, but was recorded as a d%d for %s showing %d",
		e.At, e.Sides, e.Reason, e.Have.Sides, e.Have.Reason, e.Have.Value)
}

// Roll returns the next roll of the record. The error is a [*ScriptError] when the record has no more, or has a die of
// other sides or with an impossible value there. Reasons are not compared, for their wording may change.
func (s *Script) Roll(sides uint8, reason string) (uint8, error) {
	if err := checkSides(sides, reason); err != nil {
		return 0, err
	}
	if s.used >= len(s.rolls) {
		return 0, &ScriptError{At: s.used, Sides: sides, Reason: reason}
	}
	roll := s.rolls[s.used]
	if roll.Sides != sides || roll.Value < 1 || roll.Value > sides {
		return 0, &ScriptError{At: s.used, Sides: sides, Reason: reason, Have: &roll}
	}
	s.used++
	return roll.Value, nil
}

// Done is called after the last roll. The error is an [*ExtraError] when rolls are left over.
func (s *Script) Done() error {
	if s.used < len(s.rolls) {
		return &ExtraError{Given: len(s.rolls), Used: s.used}
	}
	return nil
}
