package dice

import "fmt"

// MismatchError names the first roll of a record that does not follow from the secret.
type MismatchError struct {
	Version uint64
	At      int  // place in the rolls checked, from 0
	Roll    Roll // as recorded
	Want    Roll // as computed
}

func (e *MismatchError) Error() string {
	if e.Roll.Index != e.Want.Index {
		return fmt.Sprintf("dice of version %d: roll %d in order has index %d, want %d",
			e.Version, e.At, e.Roll.Index, e.Want.Index)
	}
	return fmt.Sprintf("dice of version %d: roll %d, a d%d for %s, is recorded as %d, but the secret gives %d",
		e.Version, e.Roll.Index, e.Roll.Sides, e.Roll.Reason, e.Roll.Value, e.Want.Value)
}

// Verify computes the rolls of a record again from the released secret. rolls are all of the record, in order. The
// error is a [*MismatchError] for the first that differs, a [*SidesError] for a die that cannot be, or one of
// NewCommitted. It does not look at the commitment; see [VerifyCommitment].
func Verify(secret Secret, entropies []Entropy, game string, version uint64, rolls []Roll) error {
	c, err := NewCommitted(secret, entropies, game, version)
	if err != nil {
		return err
	}
	return c.Verify(version, rolls)
}

// Verify is the same for one record of many, without making the key again. It turns c to that version.
func (c *Committed) Verify(version uint64, rolls []Roll) error {
	c.Begin(version)
	for i, roll := range rolls {
		want := roll
		want.Index = uint32(i)
		var err error
		if want.Value, err = c.Roll(roll.Sides, roll.Reason); err != nil {
			return fmt.Errorf("dice of version %d: roll %d: %w", version, i, err)
		}
		if roll != want {
			return &MismatchError{Version: version, At: i, Roll: roll, Want: want}
		}
	}
	return nil
}
