package downfall

import (
	"strconv"
	"strings"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// narrate tells an event in a sentence; the zero Text is for what shows in the events around it.
func narrate(sc *Scenario, e *downfallv1.Event) rules.Text {
	t := teller{sc}
	for _, tell := range [...]func(*downfallv1.Event) (rules.Text, bool){t.setup, t.weapons, t.supplies, t.arrivals, t.combat, t.losses, t.outcome} {
		if text, told := tell(e); told {
			return text
		}
	}
	return rules.Text{}
}

// teller knows what the pieces of a scenario are called. What the scenario does not have is called by its id.
type teller struct{ sc *Scenario }

// name is the name of a piece or place in the texts of the catalogue. Texts have no language before they are put into words, so that the name
// is the English one.
func name(w *downfallv1.Words) string { return inLang(w, rules.English) }

func (t teller) unit(id string) string {
	if u, ok := t.sc.UnitByID(id); ok {
		return name(t.sc.Units[u].Name)
	}
	return id
}

func (t teller) units(ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = t.unit(id)
	}
	return list(names)
}

// list joins names; "-" for none.
func list(names []string) string {
	if len(names) == 0 {
		return "-"
	}
	return strings.Join(names, ", ")
}

// hex is a printed number.
func (t teller) hex(n uint32) string { return number(n) }

// number writes a printed hex number with its leading zeros.
func number(n uint32) string {
	s := strconv.FormatUint(uint64(n), 10)
	for len(s) < 4 {
		s = "0" + s
	}
	return s
}

func (t teller) beachhead(id string) string {
	if f, ok := t.sc.BeachheadByID(id); ok {
		return name(t.sc.Beachheads[f].Name)
	}
	return id
}

func (t teller) zone(id string) string {
	for i := range t.sc.Zones {
		if t.sc.Zones[i].ID == id {
			return name(t.sc.Zones[i].Name)
		}
	}
	return id
}

func (t teller) award(id string) string {
	for i := range t.sc.Chart.Awards {
		if t.sc.Chart.Awards[i].ID == id {
			return name(t.sc.Chart.Awards[i].Name)
		}
	}
	return id
}

// seat is a reference to the name of a seat.
func (teller) seat(id string) string {
	for i := range seatIDs {
		if seatIDs[i] == id {
			return seatText(rules.Seat(i))
		}
	}
	return id
}

// target is what a bomb is aimed at: a hex, or a unit in the AV Box.
func (t teller) target(n uint32, unit string) string {
	if unit != "" {
		return t.unit(unit)
	}
	return t.hex(n)
}

// seatText is a reference to the name of a seat, for texts.
func seatText(seat rules.Seat) string { return "@seat." + seatIDs[seat] }

// signed writes a change of strength.
func signed(n int) string {
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return "+" + strconv.Itoa(n)
}

// numbers writes the numbers of markers.
func numbers(ns []uint32) string {
	s := make([]string, len(ns))
	for i, n := range ns {
		s[i] = strconv.FormatUint(uint64(n), 10)
	}
	return list(s)
}

// part is a part of a sentence that is left out if it does not hold.
func part(holds bool, key string) string {
	if holds {
		return "@" + key
	}
	return ""
}
