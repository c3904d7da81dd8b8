package lab

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	labv1 "github.com/warledger/warledger/proto/warledger/lab/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// batches plays at random and returns digests of everything that a table says.
func batches(t *testing.T, cfg Config, steps int) (all [][32]byte) {
	t.Helper()
	table, pick := NewTable(cfg), dice.NewSeeded(3)
	w := newWriter(table, cfg.Ruleset.Tensors(cfg.Scenario), true, true)
	if err := table.Reset(nil, nil); err != nil {
		t.Fatal(err)
	}
	for range steps {
		b, err := w.write()
		if err != nil {
			t.Fatal(err)
		}
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sha256.Sum256(data))
		if err := table.Step(anyActions(table, pick), true); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestWorkersMakeNoDifference: the same seed plays the same games on any number of processors, and another seed others.
func TestWorkersMakeNoDifference(t *testing.T) {
	t.Parallel()
	for _, p := range played {
		t.Run(p.set.About().Name, func(t *testing.T) {
			t.Parallel()
			cfg := configured(t, p.set, p.scenario, 5)
			cfg.Workers = 1
			one := batches(t, cfg, 100)
			cfg.Workers = 4
			if !slices.Equal(one, batches(t, cfg, 100)) {
				t.Error("four workers play other games than one")
			}
			cfg.Seed++
			if slices.Equal(one, batches(t, cfg, 100)) {
				t.Error("another seed plays the same games")
			}
		})
	}
}

// started is a table of games of Outpost that have begun.
func started(t *testing.T, games, limit int) *Table {
	t.Helper()
	cfg := configured(t, toy.Ruleset(), "ridge", games)
	cfg.Limit = limit
	table := NewTable(cfg)
	if err := table.Reset(nil, nil); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestRewardsComeOnceAtTheEnd(t *testing.T) {
	t.Parallel()
	table, pick := started(t, 1, 0), dice.NewSeeded(5)
	for table.End(0) == Running {
		m := &table.games[0]
		if m.reward(toy.Red) != 0 || m.reward(toy.Blue) != 0 {
			t.Fatal("a reward before the end")
		}
		if err := table.Step(anyActions(table, pick), false); err != nil {
			t.Fatal(err)
		}
	}
	m := &table.games[0]
	for seat := range []rules.Seat{toy.Red, toy.Blue} {
		want := float32(-1)
		if won := m.game.Ending().Winners; won == 0 {
			want = 0
		} else if won.Has(rules.Seat(seat)) {
			want = 1
		}
		if got := m.reward(rules.Seat(seat)); got != want {
			t.Errorf("seat %d was rewarded with %v, expected %v", seat, got, want)
		}
	}
	if err := table.Step([]int32{-1}, false); err != nil {
		t.Fatal(err)
	}
	if m.reward(toy.Red) != 0 {
		t.Error("the reward came twice")
	}
	if err := table.Step([]int32{0}, true); err != nil || table.End(0) != Running {
		t.Errorf("a game that is over did not begin anew: %v", err)
	}
}

func TestGamesAreCutOffAtTheirLimit(t *testing.T) {
	t.Parallel()
	table := started(t, 2, 3)
	for range 3 {
		if err := table.Step([]int32{0, 0}, false); err != nil {
			t.Fatal(err)
		}
	}
	if table.End(0) != CutOff || table.Seat(0) != rules.NoSeat || table.Len(0) != 0 {
		t.Errorf("after the limit a game stands at %d", table.End(0))
	}
}

func TestOffersAreAmongActionsOnRequest(t *testing.T) {
	t.Parallel()
	for _, offers := range []bool{false, true} {
		cfg := configured(t, toy.Ruleset(), "ridge", 1)
		cfg.Offers = offers
		table := NewTable(cfg)
		if err := table.Reset(nil, nil); err != nil {
			t.Fatal(err)
		}
		m, found := &table.games[0], false
		for i := range m.len() {
			found = found || rules.IsOffer(m.game, m.list.At(i))
		}
		if found != offers {
			t.Errorf("offers among the actions: %t, expected %t", found, offers)
		}
	}
}

// TestBadStepsChangeNothing: a request with one bad number does nothing in any game.
func TestBadStepsChangeNothing(t *testing.T) {
	t.Parallel()
	table := started(t, 3, 0)
	state := func(table *Table) []byte {
		w := newWriter(table, table.cfg.Ruleset.Tensors(table.cfg.Scenario), true, true)
		b, err := w.write()
		if err != nil {
			t.Fatal(err)
		}
		data, err := proto.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	before, last := state(table), int32(table.Len(2))
	for name, c := range map[string]struct {
		do   func() error
		game int
	}{
		"an index above the list":   {func() error { return table.Step([]int32{0, 0, 1000}, false) }, 2},
		"an index behind the list":  {func() error { return table.Step([]int32{0, 0, last}, false) }, 2},
		"an index below -1":         {func() error { return table.Step([]int32{0, -2, 0}, true) }, 1},
		"an action too few":         {func() error { return table.Step([]int32{0, 0}, false) }, -1},
		"an action too many":        {func() error { return table.Step([]int32{0, 0, 0, 0}, false) }, -1},
		"a game that is not there":  {func() error { return table.Reset([]int{0, 3}, nil) }, 3},
		"a game named twice":        {func() error { return table.Reset([]int{1, 1}, nil) }, 1},
		"a seed too few":            {func() error { return table.Reset([]int{0, 1}, []uint64{1}) }, -1},
		"seeds for games not named": {func() error { return table.Reset(nil, []uint64{1}) }, -1},
	} {
		var refused *Refused
		if err := c.do(); !errors.As(err, &refused) || refused.Reason != OutOfRange || refused.Game != c.game {
			t.Errorf("%s: got %v, expected a refusal about game %d", name, err, c.game)
		}
		if !bytes.Equal(before, state(table)) {
			t.Fatalf("%s changed a game", name)
		}
	}
	unbegun := NewTable(table.cfg)
	for name, err := range map[string]error{
		"a first reset of a part": unbegun.Reset([]int{1}, nil),
		"a step before a reset":   unbegun.Step([]int32{0, 0, 0}, false), // also after a reset that was refused
	} {
		var refused *Refused
		if !errors.As(err, &refused) || labv1.Reason(refused.Reason) != labv1.Reason_REASON_NOT_READY {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestRefusalsKeepRewards: what the latest step rewarded is still to be read after a request that was refused.
func TestRefusalsKeepRewards(t *testing.T) {
	t.Parallel()
	table, pick := started(t, 1, 0), dice.NewSeeded(5)
	for range 10_000 { // decisions: a draw rewards nobody, and the next game begins
		if table.End(0) == Over && table.games[0].reward(toy.Red) != 0 {
			break
		}
		if err := table.Step(anyActions(table, pick), true); err != nil {
			t.Fatal(err)
		}
	}
	want := table.games[0].reward(toy.Red)
	for name, err := range map[string]error{
		"a step":  table.Step([]int32{0}, false),
		"a reset": table.Reset([]int{1}, nil),
	} {
		if got := table.games[0].reward(toy.Red); err == nil || want == 0 || got != want {
			t.Errorf("%s: got %v and a reward of %v, expected a refusal and %v", name, err, got, want)
		}
	}
}

// TestSeedsRepeatAGame: a seed given to a reset plays one game again.
func TestSeedsRepeatAGame(t *testing.T) {
	t.Parallel()
	table := started(t, 2, 0)
	for range 2 {
		if err := table.Reset(nil, []uint64{5, 5}); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			if a, b := table.games[0].game.Notation(), table.games[1].game.Notation(); a != b {
				t.Fatalf("the same seed plays\n%s\nand\n%s", a, b)
			}
			if err := table.Step([]int32{0, 0}, true); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestPutWritesTheLowestByteFirst(t *testing.T) {
	t.Parallel()
	list := []int16{1, -2, 0x1234, -32768, 32767, 7, 8}
	for n := range len(list) + 1 {
		var want []byte
		for _, x := range list[:n] {
			want = append(want, byte(uint16(x)), byte(uint16(x)>>8))
		}
		got := make([]byte, 2*n)
		if put(got, list[:n]); !bytes.Equal(got, want) {
			t.Errorf("%v is written as %x, expected %x", list[:n], got, want)
		}
	}
}
