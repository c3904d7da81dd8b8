package dice

import (
	"encoding/hex"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The golden vectors were computed by another program, in Python, from the package comment alone. They must never
// change: dice of stored games depend on them.
var (
	goldenSecret = func() (s Secret) {
		for i := range s {
			s[i] = byte(i)
		}
		return s
	}()
	goldenEntropy = []Entropy{{"us", []byte("tower")}, {"japan", []byte{0, 255, 1}}}
	goldenSides   = []uint8{6, 10, 10, 2, 100, 86, 20, 12, 6, 6, 99, 3}
)

func TestGoldenCommitment(t *testing.T) {
	t.Parallel()
	got := Commitment(goldenSecret)
	if want := "b5ad0b27044012973ea132ea7db4524bdd377d0f92888131235e6b84750550d0"; hex.EncodeToString(got[:]) != want {
		t.Errorf("got %x, want %s", got, want)
	}
	if err := VerifyCommitment(goldenSecret, got); err != nil {
		t.Error(err)
	}
	got[31] ^= 1
	if err := VerifyCommitment(goldenSecret, got); err != ErrCommitment {
		t.Errorf("other commitment: %v", err)
	}
}

func TestGoldenKeys(t *testing.T) {
	t.Parallel()
	for want, entropies := range map[string][]Entropy{
		"68efdd6c3054881fb4d04b5c886bc28997529753b0018418dd3aacdc03697b52": nil,
		"f83464c32a5f104263189d1a8ea305cef8996ae045dea409ea181b517d3a3aee": goldenEntropy,
	} {
		if got, err := key(goldenSecret, entropies); err != nil || hex.EncodeToString(got[:]) != want {
			t.Errorf("%v: got %x, %v, want %s", entropies, got, err, want)
		}
	}
}

func TestGoldenBlocks(t *testing.T) {
	t.Parallel()
	c, err := NewCommitted(goldenSecret, goldenEntropy, "g1", 1)
	if err != nil {
		t.Fatal(err)
	}
	c.fill(0)
	if want := "94e0f4966bb8209f57133a2e278f37e54e670db7ccf299c3d6586e6d5ab4d66a"; hex.EncodeToString(c.block[:]) !=
		want {
		t.Errorf("got %x, want %s", c.block, want)
	}
	c.Begin(258)
	c.fill(1)
	if want := "71efc71b54a75da7752addfa998514d140fd0465540e1029bb7d89b448117331"; hex.EncodeToString(c.block[:]) !=
		want {
		t.Errorf("second attempt: got %x, want %s", c.block, want)
	}
}

func TestGoldenRolls(t *testing.T) {
	t.Parallel()
	tests := []struct {
		entropies []Entropy
		game      string
		version   uint64
		want      []uint8
	}{
		{nil, "g1", 1, []uint8{2, 8, 5, 2, 62, 36, 7, 7, 4, 1, 69, 2}},
		{goldenEntropy, "g1", 1, []uint8{5, 10, 7, 2, 87, 46, 8, 3, 6, 6, 39, 1}},
		{goldenEntropy, "spiel-ä", math.MaxUint64, []uint8{2, 4, 7, 2, 27, 35, 7, 5, 3, 1, 78, 1}},
	}
	for _, tt := range tests {
		c, err := NewCommitted(goldenSecret, tt.entropies, tt.game, tt.version)
		if err != nil {
			t.Fatal(err)
		}
		var got []uint8
		for _, sides := range goldenSides {
			value, err := c.Roll(sides, "a test")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, value)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %d (-want +got):\n%s", tt.game, tt.version, diff)
		}
	}
}
