package dice

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Labels keep hashes of different purpose apart. They are part of the public format and never change.
const (
	labelCommitment = "warledger/dice/1/commitment"
	labelKey        = "warledger/dice/1/key"
	labelRoll       = "warledger/dice/1/roll"

	labelCountedKey  = "warledger/dice/2/key"
	labelCountedRoll = "warledger/dice/2/roll"
	labelMutualKey   = "warledger/dice/2/mutual-key"
	labelMutualRoll  = "warledger/dice/2/mutual-roll"
	labelLink        = "warledger/dice/2/link"
)

// Formats of committed and mutual dice. A game says in its first record which one it has; FirstFormat
// is not written there.
const (
	// FirstFormat keys a die by the version of its record: [Committed].
	FirstFormat = 1
	// CountedFormat keys a die by how many the log has before it: [Counted].
	CountedFormat = 2
)

// MaxEntropy is the number of bytes that a seat may contribute.
const MaxEntropy = 1024

// Secret is what the server keeps to itself until the game is over. It must come from a cryptographic generator.
type Secret [32]byte

// Entropy is what a seat added to the dice, after the commitment was published.
type Entropy struct {
	Seat  string // not empty, each seat once
	Bytes []byte // 1 to MaxEntropy
}

// ErrCommitment says that a secret is not the one that was committed to.
var ErrCommitment = errors.New("dice: the secret does not match the commitment")

// Commitment is the hash of a secret that is published before any seat adds entropy. The package
// comment has the format.
func Commitment(secret Secret) [32]byte {
	return sha256.Sum256(appendField(appendField(nil, labelCommitment), string(secret[:])))
}

// VerifyCommitment is nil when commitment was made of secret, else ErrCommitment.
func VerifyCommitment(secret Secret, commitment [32]byte) error {
	if Commitment(secret) != commitment {
		return ErrCommitment
	}
	return nil
}

// key mixes the secret with what the seats added, in any order.
func key(secret Secret, entropies []Entropy) ([32]byte, error) {
	sorted := slices.Clone(entropies)
	slices.SortFunc(sorted, func(a, b Entropy) int { return cmp.Compare(a.Seat, b.Seat) })
	in := appendField(appendField(nil, labelKey), string(secret[:]))
	in = binary.BigEndian.AppendUint32(in, uint32(len(sorted)))
	for i, e := range sorted {
		if e.Seat == "" {
			return [32]byte{}, errors.New("dice entropy: seat without a name")
		}
		if i > 0 && e.Seat == sorted[i-1].Seat {
			return [32]byte{}, fmt.Errorf("dice entropy: seat %q is there twice", e.Seat)
		}
		if len(e.Bytes) == 0 || len(e.Bytes) > MaxEntropy {
			return [32]byte{},
				fmt.Errorf("dice entropy: seat %q gives %d bytes, want 1 to %d", e.Seat, len(e.Bytes), MaxEntropy)
		}
		in = appendField(appendField(in, e.Seat), string(e.Bytes))
	}
	return sha256.Sum256(in), nil
}

func appendField(dst []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(s))), s...)
}
