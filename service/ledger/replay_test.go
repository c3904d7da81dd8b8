package ledger_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

func TestReplayOfEveryLineGivesThePositionsPlayed(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	records := game.opened()
	for place, want := range game.after {
		g, err := ledger.Setup(game.set, game.created(), game.doc)
		if err != nil {
			t.Fatal(err)
		}
		replay := ledger.NewReplayer(g, 0)
		for _, v := range game.tree.LineTo(place) {
			if err := replay.Add(records[v-1]); err != nil {
				t.Fatal(err)
			}
		}
		if replay.At() != place || replay.Game().Hash() != want.Hash() {
			t.Errorf("the replay to %d is at %d with another position", place, replay.At())
		}
	}
}

func TestReplayerRefusesWhatIsNotNextOnTheLine(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	records := game.opened()
	replay := ledger.NewReplayer(game.after[1].Clone(), 1)
	if err := replay.Add(records[1]); err != nil || replay.At() != 1 {
		t.Errorf("a change of the table: at %d, %v", replay.At(), err)
	}
	if err := replay.Add(records[4]); err == nil {
		t.Error("record 5 follows record 1")
	}
	hidden := records[3].Redact(rules.Spectator)
	var fold *ledger.FoldError
	if err := replay.Add(hidden); !errors.Is(err, ledger.ErrHidden) || !errors.As(err, &fold) || fold.Version != 4 {
		t.Errorf("a hidden event: %v", err)
	}
}

func TestSetupRefusesWhatIsNotTheGame(t *testing.T) {
	t.Parallel()
	game := newTable(t, committed)
	for name, change := range map[string]func(c *logv1.GameCreated) []byte{
		"ruleset":  func(c *logv1.GameCreated) []byte { c.Ruleset = "chess"; return game.doc },
		"document": func(c *logv1.GameCreated) []byte { return append(game.doc, ' ') },
		"scenario": func(c *logv1.GameCreated) []byte { c.Scenario = "other"; return game.doc },
		"option":   func(c *logv1.GameCreated) []byte { c.Options["length"] = "endless"; return game.doc },
		"no document": func(c *logv1.GameCreated) []byte {
			d := ledger.ScenarioDigest(nil)
			c.ScenarioDigest = d[:]
			return nil
		},
	} {
		c := game.created()
		doc := change(c)
		if _, err := ledger.Setup(game.set, c, doc); err == nil {
			t.Errorf("%s: set up", name)
		}
	}
}

func TestLeavesAreInTheOrderInWhichThingsHappened(t *testing.T) {
	t.Parallel()
	about := newTable(t, committed).set.About()
	event := func(turn uint32) *toyv1.Event {
		return &toyv1.Event{Event: &toyv1.Event_TurnBegan{TurnBegan: &toyv1.TurnBegan{Turn: turn}}}
	}
	out := &rules.Outcome{
		Rolls: []rules.Rolled{
			{Sides: 6, Value: 1, Reason: "a"},
			{Sides: 8, Value: 2, Audience: 2},
			{Sides: 10, Value: 3},
		},
		Events: []rules.Emitted{
			{Event: event(1)},
			{Event: event(2), RollsBefore: 2, Audience: rules.AuditorOnly},
			{Event: event(3), RollsBefore: 2},
		},
	}
	leaves, err := ledger.FromOutcome(about, &toyv1.Command{Command: &toyv1.Command_End{End: &toyv1.End{}}},
		rules.OnlySeats(1), out)
	if err != nil {
		t.Fatal(err)
	}
	roll := func(i, sides, value uint32, reason string) proto.Message {
		return &logv1.Roll{Index: i, Sides: sides, Value: value, Reason: reason}
	}
	want := []struct {
		audience rules.Audience
		message  proto.Message
	}{
		{2, &toyv1.Command{Command: &toyv1.Command_End{End: &toyv1.End{}}}}, {0, event(1)}, {0, roll(0, 6, 1, "a")},
		{2, roll(1, 8, 2, "")},
		{rules.AuditorOnly, event(2)}, {0, event(3)}, {0, roll(2, 10, 3, "")},
	}
	if len(leaves) != len(want) {
		t.Fatalf("%d leaves, expected %d", len(leaves), len(want))
	}
	for i, l := range leaves {
		got := want[i].message.ProtoReflect().New().Interface()
		if err := l.Decode(got); err != nil || l.Audience != want[i].audience || l.Schema != 1 {
			t.Errorf("leaf %d: %v, %+v", i, err, l)
		}
		if diff := cmp.Diff(want[i].message, got, protocmp.Transform()); diff != "" {
			t.Errorf("leaf %d: %s", i, diff)
		}
	}
	out.Events[2].RollsBefore = 1
	if _, err := ledger.FromOutcome(about, &toyv1.Command{}, 0, out); err == nil {
		t.Error("an event that happened before the one before it is accepted")
	}
}

func TestEntropiesKeepWhatASeatBroughtLast(t *testing.T) {
	t.Parallel()
	var e ledger.Entropies
	for _, s := range []*logv1.SeatTaken{
		{Seat: "b", Entropy: []byte("1")}, {Seat: "a"}, {Seat: "b"}, {Seat: "a", Entropy: []byte("2")},
		{Seat: "b", Entropy: []byte("3")},
	} {
		e.Take(s)
	}
	list := e.List()
	if len(list) != 2 || list[0].Seat != "a" || string(list[0].Bytes) != "2" || string(list[1].Bytes) != "3" {
		t.Errorf("%v", list)
	}
}

func TestMetaRoundTrip(t *testing.T) {
	t.Parallel()
	m := &logv1.GameMeta{DiceSecret: []byte("d"), SeatTokenHashes: map[string][]byte{"a": {1}, "b": {2}},
		Summary: &logv1.GameSummary{Game: "g", Head: 4}}
	data, err := ledger.EncodeMeta(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ledger.DecodeMeta(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	if _, err := ledger.DecodeMeta([]byte{0xff}); err == nil {
		t.Error("nonsense decodes")
	}
}
