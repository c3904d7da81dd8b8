package ledger

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/dice"
)

// DiceState is the state of a log's dice: how many were thrown, the chains of the seats, and what is asked for. It is
// a value: [DiceState.Add] returns a new one and leaves the old one as it is, so copies may be kept and shared.
type DiceState struct {
	game   string
	mutual bool
	terms  *logv1.MutualDice
	copied uint64 // records of a fork that are copies
	thrown uint64
	// seats are the held seats, sorted by the bytes of their ids.
	seats []diceSeat
	asked *Asked
}

// diceSeat is a seat that somebody holds. Without a chain, the chain has length 0.
type diceSeat struct {
	id    string
	chain dice.Chain
	// renewed is true if the chain was renewed since the last command.
	renewed bool
}

// Asked are mutual dice that are asked for.
type Asked struct {
	// Version and Time are those of the record that asked.
	Version uint64
	Time    time.Time
	// Seat is the seat whose command needs them, CommandID the command's id, and Command its leaf.
	Seat, CommandID string
	Command         Leaf
	// Owed lists the links that are asked for, sorted by the bytes of the seats' ids.
	Owed []*logv1.OwedLink
	// Links are the revealed links, in the order in which they came.
	Links []dice.SeatLink
	// GoneOn is true if the time for answers is over.
	GoneOn bool
}

// NewDiceState is the state before the first record of a game.
func NewDiceState(created *logv1.GameCreated, game string) DiceState {
	return DiceState{
		game: game, mutual: created.GetDice() == logv1.DiceKind_DICE_KIND_MUTUAL, terms: created.GetMutualDice(),
		copied: created.GetForkedFrom().GetRecords(),
	}
}

// Thrown is how many dice the log has, on whatever line.
func (s DiceState) Thrown() uint64 { return s.thrown }

// Asked is what is asked for; nil if nothing is. It must not be changed.
func (s DiceState) Asked() *Asked { return s.asked }

// Chain returns the chain of a seat; false if nobody holds the seat, or the seat has no chain.
func (s DiceState) Chain(seat string) (dice.Chain, bool) {
	if at, held := s.find(seat); held {
		return s.seats[at].chain, s.seats[at].chain.Length > 0
	}
	return dice.Chain{}, false
}

// Renewed reports whether the chain of a seat was renewed since the last command.
func (s DiceState) Renewed(seat string) bool {
	at, held := s.find(seat)
	return held && s.seats[at].renewed
}

func (s DiceState) find(seat string) (at int, held bool) {
	return slices.BinarySearchFunc(s.seats, seat, func(d diceSeat, id string) int { return strings.Compare(d.id, id) })
}

// Owe returns the links that seats owe if any command needs dice: one of every held seat that has one left. It is nil
// if none exists; then the dice are the server's alone. Names of holders have no effect, because anybody may give
// any name.
func (s DiceState) Owe() (owed []*logv1.OwedLink) {
	for _, d := range s.seats {
		if s.mutual && d.chain.Left() {
			owed = append(owed, &logv1.OwedLink{Seat: d.id, Link: d.chain.Next})
		}
	}
	return owed
}

// Owes reports whether the link of a seat is missing.
func (a *Asked) Owes(seat string) bool {
	return a != nil && !a.GoneOn &&
		slices.ContainsFunc(a.Owed, func(o *logv1.OwedLink) bool { return o.Seat == seat }) &&
		!slices.ContainsFunc(a.Links, func(l dice.SeatLink) bool { return l.Seat == seat })
}

// Missing lists the seats whose links have not come, sorted by the bytes of their ids.
func (a *Asked) Missing() (seats []string) {
	if a == nil {
		return nil
	}
	for _, o := range a.Owed {
		if !slices.ContainsFunc(a.Links, func(l dice.SeatLink) bool { return l.Seat == o.Seat }) {
			seats = append(seats, o.Seat)
		}
	}
	return seats
}

// answeredBeside reports whether a seat other than the given one has answered.
func (a *Asked) answeredBeside(seat string) bool {
	return a != nil && slices.ContainsFunc(a.Links, func(l dice.SeatLink) bool { return l.Seat != seat })
}

// Ready reports whether the command can be carried out.
func (a *Asked) Ready() bool { return a.GoneOn || len(a.Links) == len(a.Owed) }

// Source returns the dice of the next record, in games with dice of the second format. If dice are asked for, they
// include the links that came.
func (s DiceState) Source(secret dice.Secret) (*dice.Counted, error) {
	c := dice.NewCounted(secret, s.game)
	if s.asked != nil && len(s.asked.Links) > 0 {
		var err error
		if c, err = dice.NewMutual(secret, s.asked.Links, s.game); err != nil {
			return nil, err
		}
	}
	c.Begin(s.thrown)
	return c, nil
}

// SourceKind is the dice source in the record of a command that threw some dice.
func (s DiceState) SourceKind(rolls int) logv1.DiceSource {
	switch {
	case !s.mutual || rolls == 0:
		return logv1.DiceSource_DICE_SOURCE_UNSPECIFIED
	case s.asked != nil && len(s.asked.Links) > 0:
		return logv1.DiceSource_DICE_SOURCE_MUTUAL
	}
	return logv1.DiceSource_DICE_SOURCE_COMMITTED
}

// Add returns the state after the next record. The error says which rule of mutual dice the record breaks; it quotes
// nothing that might be hidden from a viewer.
func (s DiceState) Add(r *Record) (DiceState, error) {
	rolls := 0
	for range r.Rolls() {
		rolls++
	}
	var err error
	if r.Version() > s.copied {
		if s.mutual {
			s, err = s.follow(r, rolls)
		} else {
			err = s.foreign(r)
		}
	}
	s.thrown += uint64(rolls)
	return s, err
}

// foreign refuses parts of mutual dice in a game with other dice.
func (s DiceState) foreign(r *Record) error {
	h := r.Header()
	if h.DiceSource != 0 || h.Asked != 0 || h.Kind == logv1.RecordKind_RECORD_KIND_ASK {
		return fmt.Errorf("has parts of mutual dice, but the game has other dice")
	}
	events, err := r.TableEvents()
	for _, e := range events {
		if e.GetDiceAnswered() != nil || e.GetChainRenewed() != nil || e.GetDiceGoneOn() != nil ||
			e.GetSeatTaken().GetChain() != nil {
			return fmt.Errorf("has events of mutual dice, but the game has other dice")
		}
	}
	return err
}

func (s DiceState) follow(r *Record, rolls int) (DiceState, error) {
	h := r.Header()
	if a := s.asked; a != nil && a.Ready() && h.Kind != logv1.RecordKind_RECORD_KIND_COMMAND {
		return s, fmt.Errorf("is a %s, expected the command that record %d asked dice for", h.Kind, a.Version)
	}
	if plays := h.Kind == logv1.RecordKind_RECORD_KIND_COMMAND ||
		h.Kind == logv1.RecordKind_RECORD_KIND_CREATED; !plays && (h.DiceSource != 0 || h.Asked != 0) {
		return s, fmt.Errorf("is a %s and names a source of dice", h.Kind)
	}
	switch h.Kind {
	case logv1.RecordKind_RECORD_KIND_ASK:
		return s.ask(r)
	case logv1.RecordKind_RECORD_KIND_TABLE:
		return s.table(r)
	case logv1.RecordKind_RECORD_KIND_COMMAND:
		return s.command(r, rolls)
	case logv1.RecordKind_RECORD_KIND_CREATED:
		return s, s.alone(h, rolls)
	}
	if s.asked != nil {
		return s, fmt.Errorf("moves the head while record %d waits for dice", s.asked.Version)
	}
	return s, nil
}

// alone checks the record of a command whose dice no seat was asked for.
func (s DiceState) alone(h *logv1.RecordHeader, rolls int) error {
	if h.Asked != 0 {
		return fmt.Errorf("says that record %d asked for its dice, but that record does not wait for any", h.Asked)
	}
	if want := s.SourceKind(rolls); h.DiceSource != want {
		return fmt.Errorf("says that its dice are %s, expected %s", h.DiceSource, want)
	}
	if rolls > 0 && s.Owe() != nil {
		return fmt.Errorf("has dice that no seat was asked for, although seats could have answered")
	}
	return nil
}

func (s DiceState) ask(r *Record) (DiceState, error) {
	if s.asked != nil {
		return s, fmt.Errorf("asks for dice while record %d waits for some", s.asked.Version)
	}
	events, err := r.TableEvents()
	if err != nil || len(events) != 1 || events[0].GetDiceAsked() == nil || r.Command() == nil {
		return s, fmt.Errorf("has no valid DiceAsked")
	}
	e, want := events[0].GetDiceAsked(), s.Owe()
	if len(want) == 0 || !slices.EqualFunc(e.Owed, want, func(a, b *logv1.OwedLink) bool { return proto.Equal(a, b) }) {
		return s, fmt.Errorf("asks for %s, expected %s", owedText(e.Owed), owedText(want))
	}
	s.asked = &Asked{
		Version: r.Version(), Time: r.Header().Time.AsTime(), Seat: r.Header().Seat, CommandID: e.CommandId,
		Command: keptLeaf(r.Command()), Owed: e.Owed,
	}
	s.seats = slices.Clone(s.seats)
	for i := range s.seats {
		s.seats[i].renewed = false
	}
	return s, nil
}

// keptLeaf copies a leaf, which stays valid when the record's memory is reused.
func keptLeaf(l *Leaf) Leaf {
	k := *l
	k.Type, k.Data, k.Salt = strings.Clone(l.Type), bytes.Clone(l.Data), nil
	return k
}

func owedText(owed []*logv1.OwedLink) string {
	var words []string
	for _, o := range owed {
		words = append(words, fmt.Sprintf("link %d of %s", o.Link, o.Seat))
	}
	return cmp.Or(strings.Join(words, ", "), "no link")
}

func (s DiceState) command(r *Record, rolls int) (DiceState, error) {
	h, a := r.Header(), s.asked
	if a == nil {
		if err := s.alone(h, rolls); err != nil {
			return s, err
		}
		s.seats = slices.Clone(s.seats)
		for i := range s.seats {
			s.seats[i].renewed = false
		}
		return s, nil
	}
	switch want := s.SourceKind(rolls); {
	case !a.Ready():
		return s, fmt.Errorf("is carried out while record %d waits for %s", a.Version, strings.Join(a.Missing(), ", "))
	case h.Asked != a.Version || h.Seat != a.Seat || h.CommandId != a.CommandID ||
		!sameCommand(&a.Command, r.Command()):
		return s, fmt.Errorf("is not the command that record %d asked dice for", a.Version)
	case rolls == 0:
		return s, fmt.Errorf("throws no dice, although record %d asked for some", a.Version)
	case h.DiceSource != want:
		return s, fmt.Errorf("says that its dice are %s, expected %s", h.DiceSource, want)
	}
	s.asked = nil
	return s, nil
}

// sameCommand compares commands as far as they are visible. Salts belong to their records and are not compared.
func sameCommand(a, b *Leaf) bool {
	if a.Audience != b.Audience || a.Redacted != b.Redacted {
		return false
	}
	return a.Redacted || a.Type == b.Type && a.Schema == b.Schema && bytes.Equal(a.Data, b.Data)
}
