package ledger_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/ledger"
)

// table plays a game and keeps its log, as the service does.
type table struct {
	tb      testing.TB
	game    string
	set     rules.Ruleset
	doc     []byte
	kind    logv1.DiceKind
	secret  dice.Secret
	salt    ledger.SaltSecret
	salts   *ledger.Salter
	tree    ledger.Tree
	brought ledger.Entropies
	prev    ledger.Hash
	records [][]byte
	after   map[uint64]rules.Game // positions by place
	choices *dice.Seeded
	named   string // begins the ids of commands
	// deadlines are those that the game is created with, and late how many seconds have passed
	// besides one for each record.
	deadlines *logv1.Deadlines
	late      int64
}

func newTable(tb testing.TB, kind logv1.DiceKind) *table {
	tb.Helper()
	t := &table{tb: tb, game: "g-7", set: toy.Ruleset(), kind: kind, after: map[uint64]rules.Game{},
		choices: dice.NewSeeded(3), named: "c"}
	t.doc = t.set.ScenarioDocuments()[0].Data
	for i := range t.secret {
		t.secret[i], t.salt[i] = byte(i), byte(100+i)
	}
	t.salts = ledger.NewSalter(t.salt, t.game)
	return t
}

func (t *table) must(err error) {
	t.tb.Helper()
	if err != nil {
		t.tb.Fatal(err)
	}
}

func (t *table) created() *logv1.GameCreated {
	about := t.set.About()
	options, err := about.NewOptions(nil)
	t.must(err)
	sc, _ := t.set.LoadScenario(t.doc)
	digest, salt := ledger.ScenarioDigest(t.doc), t.salt.Commitment()
	c := &logv1.GameCreated{
		Ruleset: about.Name, RulesVersion: about.Version, Scenario: sc.ScenarioID(), ScenarioDigest: digest[:],
		Options: options.Map(), Dice: t.kind, SaltCommitment: salt[:], Title: "A game",
		Deadlines: t.deadlines,
	}
	if t.kind == logv1.DiceKind_DICE_KIND_COMMITTED {
		d := dice.Commitment(t.secret)
		c.DiceCommitment = d[:]
	}
	return c
}

func (t *table) begin() {
	t.tb.Helper()
	c := t.created()
	g, err := ledger.Setup(t.set, c, t.doc)
	t.must(err)
	out, err := g.Start(t.dice())
	t.must(err)
	leaves, err := ledger.Created(t.set.About(), c, out)
	t.must(err)
	t.store(t.tree.Next(logv1.RecordKind_RECORD_KIND_CREATED), leaves)
	t.after[1] = g
}

func (t *table) dice() dice.Source {
	if t.kind == logv1.DiceKind_DICE_KIND_MANUAL {
		return t.choices
	}
	d, err := dice.NewCommitted(t.secret, t.brought.List(), t.game, t.tree.Version()+1)
	t.must(err)
	return d
}

func (t *table) store(h *logv1.RecordHeader, leaves []ledger.Leaf) {
	t.tb.Helper()
	h.Game, h.Time = t.game, timestamppb.New(epoch)
	h.Time.Seconds += int64(h.Version) + t.late
	if h.CommandId == "" && h.Kind != logv1.RecordKind_RECORD_KIND_ASK {
		h.CommandId = fmt.Sprintf("%s-%d", t.named, h.Version)
	}
	s, err := ledger.Seal(t.prev, h, leaves, t.salts)
	t.must(err)
	t.must(t.tree.Add(h))
	t.prev, t.records = s.Hash, append(t.records, s.Data)
}

func (t *table) sit(seat string, entropy string) {
	t.tb.Helper()
	taken := &logv1.SeatTaken{Seat: seat, Holder: "H", Entropy: []byte(entropy)}
	t.tableRecord(&logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: taken}})
	t.brought.Take(taken)
}

// release closes the game if it has not ended, and gives its secrets away.
func (t *table) release() {
	t.tb.Helper()
	last, err := ledger.Open(t.records[len(t.records)-1])
	t.must(err)
	events, err := last.TableEvents()
	t.must(err)
	resigned := slices.ContainsFunc(events, func(e *logv1.TableEvent) bool { return e.GetResigned() != nil })
	if g := t.after[t.tree.Head()]; !resigned && (g == nil || g.Ending() == nil) {
		t.tableRecord(&logv1.TableEvent{Event: &logv1.TableEvent_GameClosed{GameClosed: &logv1.GameClosed{}}})
	}
	t.giveAway()
}

// giveAway gives the secrets away, whether or not the game has ended.
func (t *table) giveAway() {
	t.tb.Helper()
	s := &logv1.SecretsReleased{SaltSecret: t.salt[:]}
	if t.kind == logv1.DiceKind_DICE_KIND_COMMITTED {
		s.DiceSecret = t.secret[:]
	}
	t.tableRecord(&logv1.TableEvent{Event: &logv1.TableEvent_SecretsReleased{SecretsReleased: s}})
}

func (t *table) tableRecord(events ...*logv1.TableEvent) {
	t.tb.Helper()
	leaves, err := ledger.Table(events...)
	t.must(err)
	t.store(t.tree.Next(logv1.RecordKind_RECORD_KIND_TABLE), leaves)
}

// play plays up to n random commands and reports how many there were.
func (t *table) play(n int) int {
	t.tb.Helper()
	for i := range n {
		g := t.after[t.tree.Head()]
		seat, c, ok := t.choose(g)
		if !ok {
			return i
		}
		next, out, err := g.Play(seat, c, t.dice())
		t.must(err)
		leaves, err := ledger.FromOutcome(t.set.About(), g.EncodeCommand(c), g.CommandAudience(seat, c), out)
		t.must(err)
		h := t.tree.Next(logv1.RecordKind_RECORD_KIND_COMMAND)
		h.Seat, h.Revealed = t.set.About().SeatID(seat), out.Revealed
		t.store(h, leaves)
		t.after[h.Version] = next
	}
	return n
}

func (t *table) choose(g rules.Game) (rules.Seat, rules.Command, bool) {
	about := t.set.About()
	for seat := range g.Waiting().Each {
		var commands []rules.Command
		for c := range g.Legal(seat, rules.Filter{}) {
			if k, _ := about.Command(g.Describe(seat, c).Kind); !k.Offer {
				commands = append(commands, c)
			}
		}
		if len(commands) > 0 {
			return seat, commands[t.choices.Below(uint32(len(commands)))], true
		}
	}
	return 0, rules.Command{}, false
}

func (t *table) move(to uint64) {
	t.tb.Helper()
	leaves, err := ledger.Moved(t.tree.Head(), to)
	t.must(err)
	h := t.tree.NextMove(to)
	h.Seat = "red"
	t.store(h, leaves)
}

// whole plays a game with seats, undo, redo and a branch, and releases the secrets.
func whole(tb testing.TB, kind logv1.DiceKind) *table {
	tb.Helper()
	t := newTable(tb, kind)
	t.begin()
	t.sit("red", "salt and pepper")
	t.sit("blue", "")
	t.play(8)
	t.move(t.tree.UndoTarget())
	t.move(t.tree.UndoTarget())
	t.tableRecord(&logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: "blue"}}})
	t.sit("blue", "late")
	t.move(t.tree.RedoTarget())
	t.play(3)
	t.move(t.tree.Line()[3])
	t.play(200)
	t.release()
	return t
}

func source(records [][]byte) ledger.Source {
	return func() iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			for _, r := range records {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

func registry(tb testing.TB, sets ...rules.Ruleset) *rules.Registry {
	tb.Helper()
	r, err := rules.NewRegistry(sets...)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func (t *table) audit(records [][]byte, o ledger.AuditOptions) (ledger.Summary, []ledger.Finding) {
	t.tb.Helper()
	var found []ledger.Finding
	sum, err := ledger.Audit(t.tb.Context(), source(records), registry(t.tb, t.set), t.doc, o,
		func(f ledger.Finding) { found = append(found, f) })
	t.must(err)
	return sum, found
}

func (t *table) opened() []*ledger.Record {
	t.tb.Helper()
	records := make([]*ledger.Record, len(t.records))
	for i, data := range t.records {
		r, err := ledger.Open(data)
		t.must(err)
		records[i] = r
	}
	return records
}

// parts are a record before it is sealed.
type parts struct {
	header *logv1.RecordHeader
	leaves []ledger.Leaf
}

// forge changes a log and makes a chain of it again, as one could who has the salts: every hash is right.
func (t *table) forge(change func(log []parts) []parts) [][]byte {
	t.tb.Helper()
	var log []parts
	for _, r := range t.opened() {
		log = append(log, parts{proto.CloneOf(r.Header()), slices.Clone(r.Leaves())})
	}
	var prev ledger.Hash
	var records [][]byte
	for _, p := range change(log) {
		s, err := ledger.Seal(prev, p.header, p.leaves, t.salts)
		t.must(err)
		prev, records = s.Hash, append(records, s.Data)
	}
	return records
}

// recode changes the message of a leaf.
func recode[M proto.Message](tb testing.TB, l *ledger.Leaf, m M, change func(M)) {
	tb.Helper()
	if err := l.Decode(m); err != nil {
		tb.Fatal(err)
	}
	change(m)
	made, err := ledger.NewLeaf(l.Kind, l.Audience, l.Schema, m)
	if err != nil {
		tb.Fatal(err)
	}
	*l = made
}

// find gives the first record and leaf that satisfy a condition.
func find(tb testing.TB, log []parts, ok func(*logv1.RecordHeader, *ledger.Leaf) bool) (record, leaf int) {
	tb.Helper()
	for i, p := range log {
		for j := range p.leaves {
			if ok(p.header, &p.leaves[j]) {
				return i, j
			}
		}
	}
	tb.Fatal("the game has no such leaf")
	return 0, 0
}

type iterSeq = iter.Seq2[[]byte, error]
