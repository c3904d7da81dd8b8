package dice

import "fmt"

// The number of sides that a die of any source can have.
const (
	MinSides = 2
	MaxSides = 100
)

// Source gives dice one at a time.
type Source interface {
	// Roll returns a number from 1 to sides, which is MinSides to MaxSides, else the error is a [*SidesError]. reason
	// says what the die is for, in words for players. Other errors depend on the source.
	Roll(sides uint8, reason string) (uint8, error)
}

// Roll is one die that was thrown.
type Roll struct {
	Index  uint32 // its number in the record, from 0
	Sides  uint8
	Value  uint8 // 1 to Sides
	Reason string
}

// SidesError says that no die has so many sides. It means a fault in a ruleset.
type SidesError struct {
	Sides  uint8
	Reason string
}

func (e *SidesError) Error() string {
	return fmt.Sprintf("die for %s: %d sides, want %d to %d", e.Reason, e.Sides, MinSides, MaxSides)
}

func checkSides(sides uint8, reason string) error {
	if sides < MinSides || sides > MaxSides {
		return &SidesError{sides, reason}
	}
	return nil
}
