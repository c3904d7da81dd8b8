package dice

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestEverySourceChecksSides(t *testing.T) {
	t.Parallel()
	committed, err := NewCommitted(goldenSecret, nil, "g", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []Source{committed, NewSeeded(1), NewManual([]uint32{1}), NewScript([]Roll{{0, 1, 1, ""}}),
		NewRecorder(NewSeeded(1))} {
		for _, sides := range []uint8{0, 1, 101, 255} {
			_, err := src.Roll(sides, "a test")
			if diff := cmp.Diff(error(&SidesError{sides, "a test"}), err); diff != "" {
				t.Errorf("%T (-want +got):\n%s", src, diff)
			}
		}
	}
	err = Enumerate(1, func(src Source) error {
		src.Roll(1, "a test")
		return nil
	}, func(Chance, []Roll) error { return nil })
	if !errors.As(err, new(*SidesError)) {
		t.Errorf("enumerate: %v", err)
	}
}

func TestManual(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		values []uint32
		sides  []uint8
		want   []uint8
		err    error
		text   string
	}{
		{"as thrown", []uint32{6, 10, 1}, []uint8{6, 10, 2}, []uint8{6, 10, 1}, nil, ""},
		{"d10 shows 0", []uint32{0, 0}, []uint8{10, 10}, []uint8{10, 10}, nil, ""},
		{"too few", []uint32{3, 4}, []uint8{6, 6, 10}, []uint8{3, 4}, &NeedError{2, 10, "BPF status", 2},
			"expected a d10 for BPF status as die 3, but 2 were given"},
		{"none", nil, []uint8{6}, nil, &NeedError{0, 6, "BPF status", 0},
			"expected a d6 for BPF status as die 1, but 0 were given"},
		{"too high", []uint32{7}, []uint8{6}, nil, &ValueError{0, 7, 6, "BPF status"},
			"die 1 is a d6 for BPF status and cannot show 7"},
		{"0 on a d6", []uint32{5, 0}, []uint8{6, 6}, []uint8{5}, &ValueError{1, 0, 6, "BPF status"},
			"die 2 is a d6 for BPF status and cannot show 0"},
		{"0 on a d20", []uint32{0}, []uint8{20}, nil, &ValueError{0, 0, 20, "BPF status"},
			"die 1 is a d20 for BPF status and cannot show 0"},
		{"no byte", []uint32{257}, []uint8{6}, nil, &ValueError{0, 257, 6, "BPF status"},
			"die 1 is a d6 for BPF status and cannot show 257"},
		{"left over", []uint32{1, 2, 3}, []uint8{6}, []uint8{1}, &ExtraError{3, 1},
			"3 dice were given, but only 1 are needed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := NewManual(tt.values)
			var got []uint8
			var err error
			for _, sides := range tt.sides {
				var v uint8
				if v, err = m.Roll(sides, "BPF status"); err != nil {
					break
				}
				got = append(got, v)
			}
			if err == nil {
				err = m.Done()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.err, err); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if err != nil && err.Error() != tt.text {
				t.Errorf("got %q, want %q", err, tt.text)
			}
		})
	}
}

func FuzzManual(f *testing.F) {
	f.Add([]byte{1, 0, 200}, []byte{6, 10, 6})
	f.Fuzz(func(t *testing.T, values, sides []byte) {
		var sent []uint32
		for _, v := range values {
			sent = append(sent, uint32(v)*3)
		}
		m := NewManual(sent)
		for k, n := range sides {
			v, err := m.Roll(n, "fuzz")
			if err != nil {
				return
			}
			if v < 1 || v > n || uint32(v) != sent[k] && (n != 10 || v != 10 || sent[k] != 0) {
				t.Fatalf("die %d, a d%d sent as %d, shows %d", k, n, sent[k], v)
			}
		}
		if err := m.Done(); (err == nil) != (len(sides) == len(sent)) {
			t.Fatalf("%d of %d used: %v", len(sides), len(sent), err)
		}
	})
}

func TestScriptRepeatsARecord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sides := drawSides(t)
		rolls := rollAll(t, NewSeeded(rapid.Uint64().Draw(t, "seed")), sides)
		s := NewScript(rolls)
		if diff := cmp.Diff(rolls, rollAll(t, s, sides)); diff != "" {
			t.Fatal(diff)
		}
		if err := s.Done(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestScriptFaults(t *testing.T) {
	t.Parallel()
	rolls := []Roll{{0, 6, 5, "attack"}, {1, 10, 11, "flak"}}
	s := NewScript(rolls)
	if _, err := s.Roll(10, "attack"); err == nil ||
		err.Error() != "roll 0 is now a d10 for attack, but was recorded as a d6 for attack showing 5" {
		t.Errorf("other die: %v", err)
	}
	if v, err := s.Roll(6, "assault"); v != 5 || err != nil {
		t.Errorf("other words: %d, %v", v, err)
	}
	if diff := cmp.Diff(error(&ExtraError{2, 1}), s.Done()); diff != "" {
		t.Error(diff)
	}
	var fault *ScriptError
	if _, err := s.Roll(10, "flak"); !errors.As(err, &fault) || *fault.Have != rolls[1] {
		t.Errorf("impossible value: %v", err)
	}
	s = NewScript(nil)
	if _, err := s.Roll(6, "attack"); err == nil ||
		err.Error() != "roll 0 is now a d6 for attack, but the record has no more rolls" {
		t.Errorf("no more: %v", err)
	}
}

func TestRecorder(t *testing.T) {
	t.Parallel()
	r := NewRecorder(NewManual([]uint32{3, 0, 9}))
	r.Roll(6, "attack")
	r.Roll(10, "flak")
	kept := r.Rolls()
	if _, err := r.Roll(6, "attack"); err == nil {
		t.Fatal("9 on a d6")
	}
	r.Roll(20, "morale")
	want := []Roll{{0, 6, 3, "attack"}, {1, 10, 10, "flak"}}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(append(want, Roll{2, 20, 9, "morale"}), r.Rolls()); diff != "" {
		t.Error(diff)
	}
	r = NewRecorder(NewSeeded(1))
	rollAll(t, r, []uint8{6, 6, 6})
	longer := append(r.Rolls(), Roll{Reason: "the caller's"})
	r.Roll(6, "the recorder's")
	if longer[3].Reason != "the caller's" {
		t.Error("recorder and caller write to the same place")
	}
	kept = r.Rolls()
	r.Reset()
	r.Roll(6, "after the reset")
	if got := r.Rolls(); len(got) != 1 || got[0].Index != 0 || kept[0].Reason != "test" {
		t.Errorf("after the reset: %v, kept %v", got, kept)
	}
}

func TestSeededRepeats(t *testing.T) {
	t.Parallel()
	a, b := rollAll(t, NewSeeded(7), goldenSides), rollAll(t, NewSeeded(7), goldenSides)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(a, rollAll(t, NewSeeded(8), goldenSides)) {
		t.Error("another seed, the same dice")
	}
}
