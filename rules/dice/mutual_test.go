package dice

import (
	"encoding/hex"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// The vectors of the second format were computed by another program, in Python, from the package comment alone.
var (
	goldenUS    = Link(goldenSecret)
	goldenJapan = func() (l Link) {
		for i := range l {
			l[i] = byte(32 + i)
		}
		return l
	}()
)

func TestGoldenLinks(t *testing.T) {
	t.Parallel()
	for places, want := range map[uint32]string{
		0: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		1: "cd17fa5ef7d22d752b21f7c41e234fa26189cc29443fa8144355ba0409677f05",
		3: "bc95d2efee2ad34537fa1f89d1b7e8180fe96f7f43dc01e0f82cf055f0055727",
	} {
		if got := goldenUS.Back(places, "g1", "us"); hex.EncodeToString(got[:]) != want {
			t.Errorf("%d places back: got %x, want %s", places, got, want)
		}
	}
}

func TestGoldenCounted(t *testing.T) {
	t.Parallel()
	mutual, err := NewMutual(goldenSecret, []SeatLink{{"us", goldenUS}, {"japan", goldenJapan}}, "g1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		dice  *Counted
		block string
		rolls []uint8
	}{
		{"committed", NewCounted(goldenSecret, "g1"),
			"d06fdf2b09b53c350f4fc412640721bf242f2c13583cf2a959814bcf026bb1f1",
			[]uint8{5, 1, 9, 1, 63, 78, 1, 3, 2, 5, 94, 3}},
		{"mutual", mutual, "713d54d5ec66042cc687301bf6a2a8ee61c0380d227d9db3f18d19170f1042b1",
			[]uint8{6, 7, 3, 2, 49, 5, 14, 11, 2, 5, 21, 1}},
	} {
		c.dice.Begin(7)
		c.dice.fill(0)
		if hex.EncodeToString(c.dice.block[:]) != c.block {
			t.Errorf("%s: got %x, want %s", c.name, c.dice.block, c.block)
		}
		for i, roll := range rollAll(t, c.dice, goldenSides) {
			if roll.Value != c.rolls[i] {
				t.Errorf("%s: die %d is %d, want %d", c.name, i, roll.Value, c.rolls[i])
			}
		}
	}
}

// TestGoldenSecondAttempt: the block of a second attempt, which the bytes of the first one make so rare that no roll of
// a test gets there.
func TestGoldenSecondAttempt(t *testing.T) {
	t.Parallel()
	c := NewCounted(goldenSecret, "g1")
	c.Begin(7)
	c.fill(1)
	if want := "63a921f7bb1be592e8ceccd4e0a4ad3246ec2a9de0f27184f101e20e8ac6dbfb"; hex.EncodeToString(c.block[:]) !=
		want {
		t.Errorf("got %x, want %s", c.block, want)
	}
}

// TestChain: each link is accepted in its turn, also after some were skipped, and nothing else ever is.
func TestChain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.Uint32Range(1, 40).Draw(t, "length")
		last := Link(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "last"))
		anchor := last.Back(length, "g", "s")
		c, err := NewChain(anchor[:], length)
		if err != nil {
			t.Fatal(err)
		}
		for c.Left() {
			right := last.Back(length-c.Next, "g", "s")
			wrong := rapid.SampledFrom([]Link{{}, anchor, right.Before("g", "s"), right.Before("g", "other"), c.Known}).
				Draw(t, "wrong")
			var fault *LinkError
			if wrong != right && !errors.As(c.Check(wrong, "g", "s"), &fault) {
				t.Fatalf("link %d may be %x", c.Next, wrong)
			}
			if err := c.Check(right, "g", "s"); err != nil {
				t.Fatal(err)
			}
			if c.Check(right, "h", "s") == nil || c.Check(right, "g", "t") == nil {
				t.Fatal("a link fits another game or seat")
			}
			if rapid.Bool().Draw(t, "missing") {
				c = c.Spend(nil)
			} else {
				c = c.Spend(&right)
			}
		}
		if c.Next != length+1 || c.Check(last, "g", "s") == nil {
			t.Fatalf("at its end the chain is %+v", c)
		}
	})
}

func TestNewMutualRefuses(t *testing.T) {
	t.Parallel()
	for name, links := range map[string][]SeatLink{"none": nil, "no seat": {{Seat: ""}},
		"twice": {{Seat: "a"}, {Seat: "b"}, {Seat: "a"}}} {
		if _, err := NewMutual(Secret{}, links, "g"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for length, anchor := range map[uint32][]byte{0: make([]byte, 32), MaxChain + 1: make([]byte, 32),
		5: make([]byte, 31)} {
		if _, err := NewChain(anchor, length); err == nil {
			t.Errorf("a chain of %d links and an anchor of %d bytes was accepted", length, len(anchor))
		}
	}
	for _, length := range []uint32{1, MaxChain} {
		if _, err := NewChain(make([]byte, 32), length); err != nil {
			t.Errorf("a chain of %d links: %v", length, err)
		}
	}
}
