package rules

import (
	"fmt"
	"regexp"
)

// Ids of the parts of a ruleset. They are first words of notation and parts of resource names.
var (
	nameID   = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	seatID   = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
	optionID = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	kindID   = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
)

// inspector collects what is wrong with a ruleset.
type inspector struct {
	about  *About
	faults []string
}

func inspect(s Ruleset) []string {
	i := inspector{about: s.About()}
	if i.parts(); len(i.faults) > 0 {
		return i.faults // what follows needs them
	}
	i.seats()
	i.options()
	i.commands()
	i.scenarios(s)
	return i.faults
}

func (i *inspector) fault(format string, args ...any) {
	i.faults = append(i.faults, fmt.Sprintf(format, args...))
}

// parts looks for what every ruleset has.
func (i *inspector) parts() {
	a := i.about
	if !nameID.MatchString(a.Name) {
		i.fault("the name is %q, expected lower-case letters and digits", a.Name)
	}
	for _, of := range [...]struct {
		what  string
		words Words
	}{{"title", a.Title}, {"description", a.Description}} {
		if of.words.En == "" {
			i.fault("no %s in %s", of.what, English)
		}
		if of.words.Ja == "" {
			i.fault("no %s in %s", of.what, Japanese)
		}
	}
	if a.Version == 0 || a.SchemaVersion == 0 {
		i.fault("version %d and schema version %d, expected 1 or more", a.Version, a.SchemaVersion)
	}
	if a.Catalogue == nil {
		i.fault("no catalogue")
	}
	if a.Rulebook == nil {
		i.fault("no rulebook")
	}
	if a.CommandType == nil || a.EventType == nil {
		i.fault("no type of commands or events")
	}
}

// id reports an id of another form, or one given before.
func (i *inspector) id(what, id string, form *regexp.Regexp, seen map[string]bool) {
	if !form.MatchString(id) {
		i.fault("%s %q: expected an id like %s", what, id, form)
	}
	if seen[id] {
		i.fault("%s %s is given twice", what, id)
	}
	seen[id] = true
}

func (i *inspector) seats() {
	if n := len(i.about.Seats); n == 0 || n > MaxSeats {
		i.fault("%d seats, expected 1 to %d", n, MaxSeats)
	}
	seen := map[string]bool{}
	for _, seat := range i.about.Seats {
		i.id("seat", seat.ID, seatID, seen)
		if !i.about.Catalogue.Has(seat.Key) {
			i.fault("seat %s has no name in the catalogue", seat.ID)
		}
	}
	// Whoever sits down first must find a chair, and everyone may leave.
	for n := range min(len(i.about.Seats), MaxSeats) {
		if r := i.about.CheckSeating([]Seats{SeatsOf(Seat(n))}); r != nil {
			i.fault("seat %s cannot be taken first: %v", i.about.Seats[n].ID, r)
		}
	}
	if r := i.about.CheckSeating(nil); r != nil {
		i.fault("the table cannot be empty: %v", r)
	}
}

func (i *inspector) options() {
	seen := map[string]bool{}
	for _, o := range i.about.Options {
		i.id("option", o.ID, optionID, seen)
		if !i.about.Catalogue.Has(o.Key) {
			i.fault("option %s has no description in the catalogue", o.ID)
		}
		if _, ok := i.about.Rulebook.Find(o.Rule); o.Rule != "" && !ok {
			i.fault("option %s names the rule %s, which the rulebook does not have", o.ID, o.Rule)
		}
		values := map[string]bool{}
		for _, v := range o.Values {
			if v == "" || values[v] {
				i.fault("option %s has the value %q twice or empty", o.ID, v)
			}
			values[v] = true
		}
		if len(o.Values) < 2 {
			i.fault("option %s has %d values, expected 2 or more", o.ID, len(o.Values))
		}
	}
}

func (i *inspector) commands() {
	if len(i.about.Commands) == 0 {
		i.fault("no kinds of command")
	}
	seen := map[string]bool{}
	for _, k := range i.about.Commands {
		i.id("command", k.ID, kindID, seen)
		if k.Order && !k.Offer {
			i.fault("command %s is an order and no offer", k.ID)
		}
		if k.Generating && k.Note == "" {
			i.fault("command %s lists a generating set and does not say how", k.ID)
		}
	}
}

func (i *inspector) scenarios(s Ruleset) {
	seen := map[string]bool{}
	for _, d := range s.ScenarioDocuments() {
		if seen[d.ID] {
			i.fault("scenario %s is given twice", d.ID)
		}
		seen[d.ID] = true
		sc, found := s.LoadScenario(d.Data)
		switch {
		case found.Refused() || sc == nil:
			i.fault("scenario %s: %v", d.ID, found)
		case sc.ScenarioID() != d.ID:
			i.fault("scenario %s calls itself %s", d.ID, sc.ScenarioID())
		}
	}
}
