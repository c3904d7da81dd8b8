package downfall

import (
	"strconv"

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

func (t teller) unit(id string) rules.Words {
	if u, ok := t.sc.UnitByID(id); ok {
		return words(t.sc.Units[u].Name)
	}
	return plain(id)
}

func (t teller) units(ids []string) rules.Words {
	names := make([]rules.Words, len(ids))
	for i, id := range ids {
		names[i] = t.unit(id)
	}
	return enumerate(names)
}

// hex is a printed number.
func (t teller) hex(n uint32) string { return hexText(n) }

// hexText writes a printed hex number with its leading zeros.
func hexText(n uint32) string {
	s := strconv.FormatUint(uint64(n), 10)
	for len(s) < 4 {
		s = "0" + s
	}
	return s
}

func (t teller) beachhead(id string) rules.Words {
	if f, ok := t.sc.BeachheadByID(id); ok {
		return words(t.sc.Beachheads[f].Name)
	}
	return plain(id)
}

func (t teller) zone(id string) rules.Words {
	for i := range t.sc.Zones {
		if t.sc.Zones[i].ID == id {
			return words(t.sc.Zones[i].Name)
		}
	}
	return plain(id)
}

func (t teller) award(id string) rules.Words {
	for i := range t.sc.Chart.Awards {
		if t.sc.Chart.Awards[i].ID == id {
			return words(t.sc.Chart.Awards[i].Name)
		}
	}
	return plain(id)
}

// seat is a reference to the name of a seat, or the id of one that there is not.
func (teller) seat(id string) any {
	for i := range seatIDs {
		if seatIDs[i] == id {
			return seatText(rules.Seat(i))
		}
	}
	return plain(id)
}

// target is what a bomb is aimed at: a hex, or a unit in the AV Box.
func (t teller) target(n uint32, unit string) rules.Words {
	if unit != "" {
		return t.unit(unit)
	}
	return plain(t.hex(n))
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
func numbers(ns []uint32) rules.Words {
	s := make([]rules.Words, len(ns))
	for i, n := range ns {
		s[i] = plain(strconv.FormatUint(uint64(n), 10))
	}
	return enumerate(s)
}

// part is a part of a sentence that is left out if it does not hold.
func part(holds bool, key string) string {
	if holds {
		return "@" + key
	}
	return ""
}
