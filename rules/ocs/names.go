package ocs

import (
	"strconv"

	"github.com/warledger/warledger/rules"
)

// unitName is the name of a unit for texts; pieces that there may be several of have their number with it.
func (p *Position) unitName(u Unit) rules.Words {
	if p.found != nil {
		return rules.Words{} // nobody reads the refusals behind a list
	}
	if u == NoUnit || int(u) >= len(p.units) {
		return rules.Words{En: "-"}
	}
	return p.sc.nameOf(p.id(u))
}

// nameOf is the name of a unit by its id; the id itself if the scenario does not have it.
func (s *Scenario) nameOf(id string) rules.Words {
	for i := range id {
		if id[i] != '.' {
			continue
		}
		if n, ok := s.kinds[id[:i]]; ok {
			w := s.Counters[n].Name
			w.En += " " + id[i+1:]
			if w.Ja != "" {
				w.Ja += " " + id[i+1:]
			}
			return w
		}
	}
	if n, ok := s.kinds[id]; ok {
		return s.Counters[n].Name
	}
	return rules.Words{En: id}
}

// namesOf are the names of units by their ids.
func (s *Scenario) namesOf(ids []string) rules.Words {
	list := make([]rules.Words, len(ids))
	for i, id := range ids {
		list[i] = s.nameOf(id)
	}
	return rules.Join(list, ", ", "、")
}

// placeName is the name of a place by its id, with the id of a hex.
func (s *Scenario) placeName(id string) rules.Words {
	at, ok := s.names[id]
	switch {
	case !ok:
		return rules.Words{En: id}
	case at.inBox():
		return s.Boxes[at-boxes].Name
	}
	name := s.Hexes[at].Name
	if name.En == "" {
		return rules.Words{En: id}
	}
	w := rules.Words{En: name.En + " " + id}
	if name.Ja != "" {
		w.Ja = name.Ja + " " + id
	}
	return w
}

// seatText is a reference to the name of a seat, for texts.
func seatText(id string) string {
	if id == "" {
		return "-"
	}
	return "@seat." + id
}

// cargoText names units and tokens that are carried together; what is missing is left out.
func (s *Scenario) cargoText(units []string, tokens uint32) rules.Words {
	amount := strconv.Itoa(int(tokens)) + "T"
	switch names := s.namesOf(units); {
	case len(units) == 0:
		return rules.Words{En: amount, Ja: amount}
	case tokens == 0:
		return names
	default:
		return rules.Words{En: names.En + ", " + amount, Ja: names.Ja + "、" + amount}
	}
}
