package dice

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func rollAll(t rapid.TB, src Source, sides []uint8) []Roll {
	t.Helper()
	r := NewRecorder(src)
	for _, n := range sides {
		if _, err := r.Roll(n, "test"); err != nil {
			t.Fatal(err)
		}
	}
	return r.Rolls()
}

func drawSides(t *rapid.T) []uint8 {
	return rapid.SliceOfN(rapid.Uint8Range(MinSides, MaxSides), 1, 20).Draw(t, "sides")
}

func drawCommitted(t *rapid.T) (Secret, []Entropy, string, uint64) {
	secret := Secret(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret"))
	var entropies []Entropy
	for _, seat := range rapid.SliceOfDistinct(rapid.StringN(1, 8, -1), rapid.ID[string]).Draw(t, "seats") {
		entropies = append(entropies, Entropy{seat, rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "entropy")})
	}
	return secret, entropies, rapid.String().Draw(t, "game"), rapid.Uint64().Draw(t, "version")
}

func TestVerify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret, entropies, game, version := drawCommitted(t)
		c, err := NewCommitted(secret, entropies, game, version)
		if err != nil {
			t.Fatal(err)
		}
		rolls := rollAll(t, c, drawSides(t))
		slices.Reverse(entropies) // their order must not matter
		if err := Verify(secret, entropies, game, version, rolls); err != nil {
			t.Fatal(err)
		}
		if err := c.Verify(version, rolls); err != nil {
			t.Fatalf("again: %v", err)
		}
		at := rapid.IntRange(0, len(rolls)-1).Draw(t, "at")
		forged := slices.Clone(rolls)
		for k := at; k < len(forged); k++ { // only the first is to be named
			forged[k].Value = forged[k].Value%forged[k].Sides + 1
		}
		var mismatch *MismatchError
		err = Verify(secret, entropies, game, version, forged)
		if !errors.As(err, &mismatch) {
			t.Fatalf("forged: %v", err)
		}
		want := &MismatchError{Version: version, At: at, Roll: forged[at], Want: rolls[at]}
		if diff := cmp.Diff(want, mismatch); diff != "" {
			t.Fatalf("forged (-want +got):\n%s", diff)
		}
	})
}

func TestVerifyNamesTheFault(t *testing.T) {
	t.Parallel()
	rolls := []Roll{{0, 6, 5, "attack"}, {1, 10, 10, "BPF status"}, {2, 10, 7, "flak"}}
	tests := []struct {
		name   string
		change func([]Roll) []Roll
		want   string
	}{
		{"as rolled", func(r []Roll) []Roll { return r }, ""},
		{"value", func(r []Roll) []Roll { r[1].Value = 9; return r },
			"dice of version 1: roll 1, a d10 for BPF status, is recorded as 9, but the secret gives 10"},
		{"one missing", func(r []Roll) []Roll { return slices.Delete(r, 1, 2) }, "roll 1 in order has index 2, want 1"},
		{"impossible die", func(r []Roll) []Roll { r[2].Sides = 1; return r },
			"roll 2: die for flak: 1 sides, want 2 to 100"},
	}
	for _, tt := range tests {
		err := Verify(goldenSecret, goldenEntropy, "g1", 1, tt.change(slices.Clone(rolls)))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
	if err := Verify(goldenSecret, []Entropy{{}}, "g1", 1, rolls); err == nil {
		t.Error("entropy that cannot be is verified")
	}
}

// TestAnyInputChangesTheDice: 40 d100 alike by chance are out of the question.
func TestAnyInputChangesTheDice(t *testing.T) {
	t.Parallel()
	other := goldenSecret
	other[31] ^= 1
	seen := map[string]string{}
	tests := []struct {
		name      string
		secret    Secret
		entropies []Entropy
		game      string
		version   uint64
	}{
		{"base", goldenSecret, goldenEntropy, "g1", 1},
		{"secret", other, goldenEntropy, "g1", 1},
		{"no entropy", goldenSecret, nil, "g1", 1},
		{"one entropy", goldenSecret, goldenEntropy[:1], "g1", 1},
		{"entropy moved to the name", goldenSecret, []Entropy{{"ust", []byte("ower")}, goldenEntropy[1]}, "g1", 1},
		{"entropies swapped", goldenSecret,
			[]Entropy{{"us", goldenEntropy[1].Bytes}, {"japan", goldenEntropy[0].Bytes}}, "g1", 1},
		{"game", goldenSecret, goldenEntropy, "g2", 1},
		{"empty game", goldenSecret, goldenEntropy, "", 1},
		{"version", goldenSecret, goldenEntropy, "g1", 2},
		{"version far off", goldenSecret, goldenEntropy, "g1", 1 << 32},
	}
	for _, tt := range tests {
		c, err := NewCommitted(tt.secret, tt.entropies, tt.game, tt.version)
		if err != nil {
			t.Fatal(err)
		}
		var values []byte
		for _, r := range rollAll(t, c, slices.Repeat([]uint8{100}, 40)) {
			values = append(values, r.Value)
		}
		if twin, ok := seen[string(values)]; ok {
			t.Errorf("%s rolls as %s does", tt.name, twin)
		}
		seen[string(values)] = tt.name
	}
}

func TestEntropyFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		entropies []Entropy
		want      string
	}{
		{[]Entropy{{"", []byte{1}}}, "seat without a name"},
		{[]Entropy{{"us", []byte{1}}, {"us", []byte{2}}}, `seat "us" is there twice`},
		{[]Entropy{{"us", []byte{1}}, {"japan", []byte{1}}, {"us", []byte{2}}}, `seat "us" is there twice`},
		{[]Entropy{{"us", nil}}, `seat "us" gives 0 bytes, want 1 to 1024`},
		{[]Entropy{{"us", make([]byte, 1025)}}, `seat "us" gives 1025 bytes`},
	}
	for _, tt := range tests {
		if _, err := NewCommitted(goldenSecret, tt.entropies, "g", 1); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

func TestNewCommittedLeavesItsArgumentsAlone(t *testing.T) {
	t.Parallel()
	entropies := slices.Clone(goldenEntropy)
	if _, err := NewCommitted(goldenSecret, entropies, "g", 1); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(goldenEntropy, entropies); diff != "" {
		t.Error(diff)
	}
}

// TestRollIndexCountsOnlyRolls: a die that is refused takes no index.
func TestRollIndexCountsOnlyRolls(t *testing.T) {
	t.Parallel()
	a, _ := NewCommitted(goldenSecret, nil, "g", 7)
	b, _ := NewCommitted(goldenSecret, nil, "g", 6)
	b.Begin(7)
	if _, err := b.Roll(1, "nothing"); err == nil {
		t.Fatal("a die of 1 side")
	}
	if diff := cmp.Diff(rollAll(t, a, goldenSides), rollAll(t, b, goldenSides)); diff != "" {
		t.Error(diff)
	}
}

func FuzzCommitted(f *testing.F) {
	f.Add([]byte("secret"), "us", []byte{1}, "g1", uint64(1), []byte{6, 10, 100})
	f.Fuzz(func(t *testing.T, s []byte, seat string, bytes []byte, game string, version uint64, sides []byte) {
		var secret Secret
		copy(secret[:], s)
		c, err := NewCommitted(secret, []Entropy{{seat, bytes}}, game, version)
		if err != nil {
			return
		}
		r := NewRecorder(c)
		for _, n := range sides {
			v, err := r.Roll(n, "fuzz")
			if (err == nil) != (n >= MinSides && n <= MaxSides) || err == nil && (v < 1 || v > n) {
				t.Fatalf("d%d shows %d, %v", n, v, err)
			}
		}
		if err := c.Verify(version, r.Rolls()); err != nil {
			t.Fatal(err)
		}
	})
}
