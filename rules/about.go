package rules

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
)

// About is what a ruleset says about itself. It never changes while a program runs.
type About struct {
	// Name is the ruleset's id: lower-case letters.
	Name string
	// Title is the full name of the game.
	Title Words
	// Description says what kind of game it is, in a paragraph.
	Description Words
	// Version of the rules program, from 1; raised when a correction decides something otherwise than before.
	Version uint32
	// Seats in order: Seat n is Seats[n].
	Seats []SeatInfo
	// Options that a game may be created with.
	Options []Option
	// Commands lists the kinds of command.
	Commands []CommandKind
	// Phases of a turn in order, by key.
	Phases []string
	// PhaseKey is what the keys of the messages that name the phases begin with; empty if they have no names.
	PhaseKey string
	// Seating says why people may not hold the seats so; nil where the rulebook does not care. See
	// [About.CheckSeating].
	Seating func(players []Seats) *Refusal
	// Standing says how seats give standing orders; the zero value if they can't.
	Standing Standing
	// Rulebook is the index of its paragraphs.
	Rulebook *Rulebook
	// Readings are how names in Japanese are read; nil for none.
	Readings *Readings
	// Catalogue has the messages.
	Catalogue *Catalogue
	// CommandType and EventType are the protobuf messages that commands and events are encoded as.
	CommandType, EventType proto.Message
	// SchemaVersion of both, from 1.
	SchemaVersion uint32
}

// SeatInfo is one seat of a ruleset.
type SeatInfo struct {
	// ID is lower-case: "us", "japan".
	ID string
	// Key of its name in the catalogue.
	Key string
	// Color is "#rrggbb".
	Color string
	// Side is the id of the side that the seat shares with others, which wins or loses as one; empty if the seat is a
	// side of its own.
	Side string
}

// SideOf returns the seats of a seat's side, itself included; none for an unknown seat.
func (a *About) SideOf(seat Seat) (side Seats) {
	if int(seat) >= len(a.Seats) {
		return 0
	}
	for i, other := range a.Seats {
		if Seat(i) == seat || other.Side != "" && other.Side == a.Seats[seat].Side {
			side |= SeatsOf(Seat(i))
		}
	}
	return side
}

// Standing says how the seats of a ruleset give standing orders. Those that stand are on the board.
type Standing struct {
	// Kind is the id of the kind of command that gives them.
	Kind string
	// Usual is the command that gives the usual ones, as most players would; empty if the ruleset has none.
	Usual string
	// None is the command that takes all of them back.
	None string
}

// CommandKind is one kind of command.
type CommandKind struct {
	// ID is the first word of its notation.
	ID string
	// Offer is true for what may be said outside the game's questions, such as offering to
	// concede; bots leave it alone.
	Offer bool
	// Order is true for an offer that only orders the seat's own things, such as standing orders. Every other offer
	// concerns the whole game and may end it, so that clients ask once more.
	Order bool
	// Generating is true if the legal list holds a generating set of this kind, from which any legal outcome can be
	// reached, and not every combination; Note says how.
	Generating bool
	// Note explains the kind in a sentence, in English.
	Note string
}

// Option is a choice made before the game.
type Option struct {
	// ID is snake_case.
	ID string
	// Rule is the paragraph that it comes from, or the decision that it switches.
	Rule string
	// Key of its description in the catalogue.
	Key string
	// Values that it may have, the default first. A flag has "false" and "true".
	Values []string
}

// Flag makes an option that is off by default.
func Flag(id, rule string) Option {
	return Option{ID: id, Rule: rule, Key: "option." + id, Values: []string{"false", "true"}}
}

// SeatByID finds a seat; ok is false if the ruleset has none of that id.
func (a *About) SeatByID(id string) (seat Seat, ok bool) {
	for i, s := range a.Seats {
		if s.ID == id {
			return Seat(i), true
		}
	}
	return NoSeat, false
}

// SeatID is the id of a seat; empty for NoSeat.
func (a *About) SeatID(seat Seat) string {
	if int(seat) >= len(a.Seats) {
		return ""
	}
	return a.Seats[seat].ID
}

// AllSeats is the set of all seats.
func (a *About) AllSeats() Seats { return Seats(1<<len(a.Seats)) - 1 }

// Command finds a kind of command by id.
func (a *About) Command(id string) (CommandKind, bool) {
	for _, k := range a.Commands {
		if k.ID == id {
			return k, true
		}
	}
	return CommandKind{}, false
}

// IsOffer reports whether a command is an offer: what may be said outside the game's questions.
func IsOffer(g Game, c Command) bool {
	kind, ok := g.Ruleset().About().Command(g.KindOf(c))
	return ok && kind.Offer
}

// NeedsConfirmation reports whether a command is an offer that concerns the whole game.
func NeedsConfirmation(g Game, c Command) bool {
	kind, ok := g.Ruleset().About().Command(g.KindOf(c))
	return ok && kind.Offer && !kind.Order
}

// Options are the choices of one game: every option of the ruleset has a value.
type Options struct{ values map[string]string }

// NewOptions completes the values given with the defaults. It reports every unknown option and every impossible value.
func (a *About) NewOptions(given map[string]string) (Options, error) {
	o := Options{values: make(map[string]string, len(a.Options))}
	for _, opt := range a.Options {
		o.values[opt.ID] = opt.Values[0]
	}
	names := make([]string, 0, len(given))
	for name := range given { // order-free: sorted below
		names = append(names, name)
	}
	sort.Strings(names)
	var faults []string
	for _, name := range names {
		if f := a.setOption(o, name, given[name]); f != "" {
			faults = append(faults, f)
		}
	}
	if len(faults) > 0 {
		return Options{}, fmt.Errorf("options: %s", strings.Join(faults, "; "))
	}
	return o, nil
}

func (a *About) setOption(o Options, name, value string) (fault string) {
	for _, opt := range a.Options {
		if opt.ID != name {
			continue
		}
		for _, v := range opt.Values {
			if v == value {
				o.values[name] = value
				return ""
			}
		}
		return fmt.Sprintf("%q must be one of %s, not %q", name, strings.Join(opt.Values, ", "), value)
	}
	return fmt.Sprintf("%q is not an option of %s", name, a.Name)
}

// On reports whether a flag is on.
func (o Options) On(id string) bool { return o.values[id] == "true" }

// Value is the value of an option.
func (o Options) Value(id string) string { return o.values[id] }

// Int is the value of an option as a number; 0 if it is not a number.
func (o Options) Int(id string) int { n, _ := strconv.Atoi(o.values[id]); return n }

// Map is a copy of all values.
func (o Options) Map() map[string]string {
	m := make(map[string]string, len(o.values))
	for k, v := range o.values { // order-free: a copy of a map
		m[k] = v
	}
	return m
}
