package downfall

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// standing is a standing order: which, what is to be done, and for which combats.
//
//	standing fire weakest                     standing all usual         standing fire -
//	standing abort never at 2819              standing advance nobody of us-i-25 us-i-33
func (x *phrase) standing(c *Command) {
	switch x.Shape {
	case kit.Encode:
		x.Put("order", int(c.Detail))
		x.Put("choice", int(c.Count))
		x.Put("hex", x.p.num(c.Hex))
		x.units("units", &c.Units)
	case kit.Decode:
		c.Detail = uint64(x.upTo(uint32(x.Get("order").Enum()), len(standings)-1, "the standing order"))
		if c.Detail == 0 { // no words could name it
			x.Malformed("there is no standing order 0")
		}
		c.Count = x.upTo(uint32(x.Get("choice").Uint()), maxChoice, "the choice")
		if n := uint32(x.Get("hex").Uint()); n != 0 {
			c.Hex = x.hexNumber(n)
		}
		x.units("units", &c.Units)
	case kit.Read:
		x.readStanding(c)
	case kit.Usage:
		x.Word("ORDER CHOICE [at HEX] [of UNIT...]")
	case kit.Write:
		x.writeStanding(c)
	case kit.Tell:
		x.tellStanding(c)
	}
}

// maxChoice is the largest choice that is read; which there are depends on the order.
const maxChoice = 127

func (x *phrase) readStanding(c *Command) {
	c.Detail = uint64(x.oneOf("a standing order", standingWords[1:])) + 1
	if x.Refusal != nil {
		return
	}
	c.Count = uint8(x.oneOf("a choice", x.p.sc.choicesOf(uint8(c.Detail))))
	if x.Going() && x.Has("at") {
		x.hex("hex", &c.Hex)
	}
	if x.Going() && x.Has("of") {
		if x.units("units", &c.Units); c.Units == 0 {
			x.Expected("a unit")
		}
	}
}

// oneOf takes one of some words, and gives its place among them.
func (x *phrase) oneOf(what string, words []string) int {
	if x.More() {
		for i, w := range words {
			if strings.EqualFold(x.Words[0], w) {
				x.Next(what)
				return i
			}
		}
	}
	x.Expected(what + ": " + strings.Join(words, ", "))
	return 0
}

func (x *phrase) writeStanding(c *Command) {
	s := c.standingOf()
	x.Word(standingWords[min(int(s.order), len(standingWords)-1)])
	choices := x.p.sc.choicesOf(min(s.order, orderAll))
	x.Word(choices[min(int(s.choice), len(choices)-1)])
	if s.hex != NoHex {
		x.Word("at")
		x.Word(x.p.digits(s.hex))
	}
	if s.units != 0 {
		x.Word("of")
		x.units("units", &c.Units)
	}
}

func (x *phrase) tellStanding(c *Command) {
	s := c.standingOf()
	x.Arg("order", x.p.sc.standingText(s))
	x.Arg("scope", x.p.sc.scopeText(x.p.hexName(s.hex), x.p.names(s.units)))
	if s.hex != NoHex {
		x.Spaces(x.p.hexIDs(s.hex)...)
	}
	x.Pieces(x.p.ids(s.units)...)
}

// standings are the standing orders in the notation of a position, a line each, as the command has them.
func (n *notes) standings() {
	if !n.Reading {
		for seat := range n.p.orders {
			for _, s := range n.p.orders[seat] {
				n.Line("standing", true)
				n.Word(seatIDs[seat])
				text := n.p.formatCommand(s.command())
				n.Text = append(n.Text, strings.TrimPrefix(text, kinds.ID(int(KindStanding)))...)
			}
		}
		return
	}
	if !n.Line("standing", true) {
		return
	}
	seat := rules.Seat(n.Index(n.Next(), seatIDs[:]))
	c, refusal := grammar.Parse(n.p, int(KindStanding), n.Words)
	n.Words = nil
	s := c.standingOf()
	if n.Err != nil || refusal != nil || !n.p.standsAfter(seat, n.p.orders[seat], s) {
		n.Fail("a standing order that can't stand")
		return
	}
	n.p.orders[seat] = append(n.p.orders[seat], s)
}

// tellStanding tells a standing order that was given.
func tellStanding(sc *Scenario, m proto.Message, t *rules.Text) {
	g := m.(*downfallv1.StandingGiven).GetGiven()
	s := standing{order: uint8(min(uint32(g.GetOrder()), maxChoice)), choice: uint8(min(g.GetChoice(), maxChoice))}
	hex := nobody
	if g.GetHex() != 0 {
		hex = sc.numbered(g.GetHex())
	}
	order := sc.standingText(s)
	if s.choice == choiceNone && s.order != 0 && s.order <= orderAll {
		t.Key = "told.standing_given-none"
		order = sc.inWords(rules.Say("standing." + standingWords[s.order]))
	}
	if s.choice == choiceNone && s.order == orderAll {
		t.Key = "told.standing_given-all-none"
		return
	}
	kit.Add(t, "order", order, "scope", sc.scopeText(hex, sc.listed(g.GetUnits())))
}

// standingText says a standing order. What is not in the contract of this program is told by its numbers.
func (sc *Scenario) standingText(s standing) rules.Words {
	if s.order == 0 || int(s.order) >= len(standings) || int(s.choice) >= len(sc.choicesOf(s.order)) {
		return plain(strconv.Itoa(int(s.order)) + " " + strconv.Itoa(int(s.choice)))
	}
	key := "standing." + standingWords[s.order] + "-" + sc.choicesOf(s.order)[s.choice]
	switch {
	case s.choice == choiceNone && s.order != orderAll:
		return sc.inWords(rules.Say("standing.none", "order", "@standing."+standingWords[s.order]))
	case s.choice == choiceAsk && s.order < orderForced:
		return sc.inWords(rules.Say("standing.ask", "order", "@standing."+standingWords[s.order]))
	case s.choice == choiceNone:
		key = "standing.all-none"
	case s.order == orderZones && s.choice >= zonesInto:
		return sc.inWords(rules.Say("standing.zones-into", "zone", words(sc.Zones[s.choice-zonesInto].Name)))
	}
	return sc.inWords(rules.Say(key))
}

// scopeText says for which combats a standing order is given; empty for all.
func (sc *Scenario) scopeText(hex, units rules.Words) rules.Words {
	switch {
	case hex == nobody && units == nobody:
		return rules.Words{}
	case units == nobody:
		return sc.inWords(rules.Say("standing.in", "hex", hex))
	case hex == nobody:
		return sc.inWords(rules.Say("standing.of", "units", units))
	}
	return sc.inWords(rules.Say("standing.in-of", "hex", hex, "units", units))
}

// inWords puts a text into all languages.
func (sc *Scenario) inWords(t rules.Text) rules.Words {
	return catalogue.Words(t)
}

// standingOrders are the orders that stand, of the seats that the viewer holds.
func (d *picture) standingOrders() (list []*boardv1.StandingOrder) {
	for seat := range d.orders {
		if !d.v.Holds(rules.Seat(seat)) {
			continue
		}
		for _, s := range d.orders[seat] {
			scope := d.sc.scopeText(d.hexName(s.hex), d.names(s.units))
			m := &boardv1.StandingOrder{Seat: seatIDs[seat],
				Text: d.sc.standingText(s).In(d.lang) + scope.In(d.lang), Command: d.formatCommand(s.command())}
			s.choice = choiceNone
			m.Cancel = d.formatCommand(s.command())
			list = append(list, m)
		}
	}
	return list
}

// command is the command that gives a standing order.
func (s standing) command() Command {
	c := only(KindStanding)
	c.Detail, c.Count, c.Hex, c.Units = uint64(s.order), s.choice, s.hex, s.units
	return c
}
