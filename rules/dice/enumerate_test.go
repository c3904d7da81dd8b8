package dice

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func twoDice(src Source) (int, error) {
	a, err := src.Roll(6, "attack")
	if err != nil {
		return 0, err
	}
	b, err := src.Roll(6, "attack")
	return int(a) + int(b), err
}

func TestDistributionOfTwoDice(t *testing.T) {
	t.Parallel()
	got, err := Distribution(36, twoDice)
	if err != nil {
		t.Fatal(err)
	}
	want := []Share[int]{
		{2, Chance{1, 36}}, {3, Chance{1, 18}}, {4, Chance{1, 12}}, {5, Chance{1, 9}}, {6, Chance{5, 36}},
		{7, Chance{1, 6}},
		{8, Chance{5, 36}}, {9, Chance{1, 9}}, {10, Chance{1, 12}}, {11, Chance{1, 18}}, {12, Chance{1, 36}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := Distribution(35, twoDice); !errors.As(err, new(*LimitError)) {
		t.Errorf("one outcome too many: %v", err)
	}
}

// TestEnumerateInOrder: a d2, and on a 1 a d3 more.
func TestEnumerateInOrder(t *testing.T) {
	t.Parallel()
	type leaf struct {
		Chance Chance
		Rolls  []Roll
	}
	var got []leaf
	err := Enumerate(10, func(src Source) error {
		if v, _ := src.Roll(2, "first"); v == 1 {
			src.Roll(3, "second")
		}
		return nil
	}, func(c Chance, rolls []Roll) error {
		got = append(got, leaf{c, slices.Clone(rolls)})
		return nil
	})
	want := []leaf{
		{Chance{1, 6}, []Roll{{0, 2, 1, "first"}, {1, 3, 1, "second"}}},
		{Chance{1, 6}, []Roll{{0, 2, 1, "first"}, {1, 3, 2, "second"}}},
		{Chance{1, 6}, []Roll{{0, 2, 1, "first"}, {1, 3, 3, "second"}}},
		{Chance{1, 2}, []Roll{{0, 2, 2, "first"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestEnumerateSumsToOne runs random procedures whose next die depends on those before.
func TestEnumerateSumsToOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		procedure := func(src Source) error {
			state := seed
			for range 4 {
				next := NewSeeded(state).Next()
				if next%3 == 0 {
					break
				}
				v, err := src.Roll(uint8(2+next>>8%9), "test")
				if err != nil {
					return err
				}
				state = next + uint64(v)
			}
			return nil
		}
		var sum Chance
		var last []uint8
		leaves := 0
		err := Enumerate(10000, procedure, func(c Chance, rolls []Roll) error {
			var values []uint8
			for _, r := range rolls {
				values = append(values, r.Value)
			}
			if leaves > 0 && slices.Compare(last, values) >= 0 {
				t.Fatalf("%v follows %v", values, last)
			}
			if err := replay(rolls, procedure); err != nil {
				t.Fatal(err)
			}
			last = values
			leaves++
			var err error
			sum, err = sum.Add(c)
			return err
		})
		if err != nil || sum != (Chance{1, 1}) {
			t.Fatalf("%d outcomes sum to %v, %v", leaves, sum, err)
		}
	})
}

// replay runs a procedure with the rolls of a branch and wants all of them used.
func replay(rolls []Roll, procedure func(Source) error) error {
	s := NewScript(rolls)
	return errors.Join(procedure(s), s.Done())
}

func TestEnumerateWithoutDice(t *testing.T) {
	t.Parallel()
	visits := 0
	err := Enumerate(1, func(Source) error { return nil }, func(c Chance, rolls []Roll) error {
		visits++
		if c != (Chance{1, 1}) || len(rolls) != 0 {
			t.Errorf("%v %v", c, rolls)
		}
		return nil
	})
	if visits != 1 || err != nil {
		t.Errorf("%d visits, %v", visits, err)
	}
}

func TestEnumerateFaults(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	runs := 0
	tests := []struct {
		name      string
		max       int
		procedure func(Source) error
		visit     error
		want      error
		text      string
	}{
		{"error of the procedure", 9, func(src Source) error {
			if v, _ := src.Roll(6, "x"); v == 3 {
				return broken
			}
			return nil
		}, nil, broken, "after dice [3]: broken"},
		{"error of the visit", 9, func(src Source) error { return nil }, broken, broken, "broken"},
		{"rolls for ever", 9, func(src Source) error {
			for {
				if _, err := src.Roll(10, "x"); err != nil {
					return nil // as if nothing had happened
				}
			}
		}, nil, ErrChance, ""},
		{"asks for more each time", 9, func(src Source) error {
			runs++
			src.Roll(uint8(2+runs), "x")
			return nil
		}, nil, ErrUnstable, ""},
		{"asks for less each time", 99, func() func(Source) error {
			n := 3
			return func(src Source) error {
				for range n {
					src.Roll(2, "x")
				}
				n--
				return nil
			}
		}(), nil, ErrUnstable, ""},
		{"no room", 0, func(src Source) error { return nil }, nil, nil, "dice: the procedure has more than 0 outcomes"},
	}
	for _, tt := range tests {
		err := Enumerate(tt.max, tt.procedure, func(Chance, []Roll) error { return tt.visit })
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) || tt.text != "" && err.Error() != tt.text {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestChance(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b, want Chance
		err        error
	}{
		{Chance{1, 6}, Chance{1, 3}, Chance{1, 2}, nil},
		{Chance{}, Chance{2, 4}, Chance{1, 2}, nil},
		{Chance{}, Chance{}, Chance{0, 1}, nil},
		{Chance{1, 1 << 63}, Chance{1, 1 << 63}, Chance{1, 1 << 62}, nil},
		{Chance{1, math.MaxUint64}, Chance{1, math.MaxUint64 - 1}, Chance{}, ErrChance},
		{Chance{1, 1 << 40}, Chance{1, 205891132094649}, Chance{}, ErrChance}, // 3 to the 30th
		{Chance{1<<63 + 1, 1}, Chance{1, 3}, Chance{}, ErrChance},
		{Chance{1, 3}, Chance{1<<63 + 1, 1}, Chance{}, ErrChance},
		{Chance{math.MaxUint64, 1}, Chance{1, 1}, Chance{}, ErrChance},
	}
	for _, tt := range tests {
		if got, err := tt.a.Add(tt.b); got != tt.want || err != tt.err {
			t.Errorf("%v + %v = %v, %v, want %v", tt.a, tt.b, got, err, tt.want)
		}
	}
	if (Chance{1, 4}).Float() != .25 || (Chance{1, 1}).Float() != 1 || (Chance{}).Float() != 0 ||
		(Chance{}).String() != "0/1" {
		t.Error("as a number and in words")
	}
}
