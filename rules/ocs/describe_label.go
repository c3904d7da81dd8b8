package ocs

import (
	"slices"
	"strconv"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// label puts a command into words: the message "do.KIND", or one that says more of it, with what the command names.
func (p *Position) label(seat rules.Seat, c *Command, d *rules.Description) {
	key, more := "do."+d.Kind+variant(c), []any(nil)
	switch c.Kind {
	case KindReady:
		key, more = p.readyLabel(seat, d)
	case KindLosses:
		key, more = p.lossesLabel(seat, c)
	case KindRetreat:
		key, more = p.retreatLabel(c)
	case KindOrders:
		more = p.orderLabel(c)
	case KindTerrain, KindSuffer, KindRestoreAir:
		more = []any{"list", p.listed(c)}
	}
	d.Label = rules.Say(key, append(more, "units", p.sc.namesOf(d.Pieces), "those", p.sc.namesOf(p.ids(c.Units)), "at",
		p.spoken(c.target()),
		"from", p.spoken(p.departs(c)), "n", c.N, "m", c.M, "yes", yesText(c.Yes), "marker", modeText(c.Marker, c.Face),
		"side", faceText(c.Face),
		"unit", p.unitName(c.Unit), "other", p.unitName(c.Other), "name", p.sc.named(c.Name), "cargo", p.cargoOf(c))...)
}

// variant is the end of the message's key for commands of a kind that differ in what they do.
func variant(c *Command) string {
	switch c.Kind {
	case KindMode, KindArrive, KindRebuild:
		if c.Marker == Reserve {
			return "-side"
		}
	case KindBarrage, KindAirBarrage, KindNavalBarrage, KindHipShoot:
		return targets[c.Choice]
	case KindConstruct:
		return jobKeys[c.Choice]
	case KindAirlift, KindAirdrop:
		if len(c.Lines) > 0 {
			return flightKeys[ocsv1.Flight(c.Lines[0].Flight)]
		}
	case KindAdvance, KindStandDown, KindFlyOn:
		if len(c.Units) == 0 {
			return "-none"
		}
	case KindIntercept:
		if c.Unit == NoUnit {
			return "-none"
		}
	case KindRebuildTrucks:
		if c.Other != NoUnit {
			return "-organic"
		}
	case KindPlaceSupply, KindDestroy:
		if c.Unit != NoUnit {
			return "-aboard"
		}
	}
	return ""
}

// targets are the ends of keys by what is barraged, jobKeys by what is built, flightKeys by how air units carry (OCS
// 14.2e-vii).
var (
	flightKeys = map[ocsv1.Flight]string{ocsv1.Flight_FLIGHT_SHORT: "-short", ocsv1.Flight_FLIGHT_ONE_WAY: "-one-way"}
	targets    = map[int]string{targetPort: "-port", targetBase: "-air-base", targetShips: "-ships"}
	jobKeys    = map[int]string{
		int(ocsv1.Job_JOB_RAISE_HEDGEHOG): "-raise-hedgehog", int(ocsv1.Job_JOB_LOWER_HEDGEHOG): "-lower-hedgehog",
		int(ocsv1.Job_JOB_RAISE_AIR_BASE): "-raise-air-base", int(ocsv1.Job_JOB_LOWER_AIR_BASE): "-lower-air-base",
		int(ocsv1.Job_JOB_BUILD_AIRSTRIP): "-airstrip", int(ocsv1.Job_JOB_REPAIR_PORT): "-repair-port",
		int(ocsv1.Job_JOB_DAMAGE_PORT): "-damage-port",
	}
)

// readyLabel says who attacks or defends then, and that nobody does (OCS 9.0, OCS 9.5b-A).
func (p *Position) readyLabel(seat rules.Seat, d *rules.Description) (key string, args []any) {
	f := inner[*combat](p)
	if f == nil {
		return "do.ready", nil
	}
	var paid, unpaid []Unit
	for _, u := range p.fighters(f, seat) {
		if p.has(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED) {
			paid = append(paid, u)
		} else {
			unpaid = append(unpaid, u)
		}
	}
	args = []any{"paid", p.sc.namesOf(p.ids(paid)), "unpaid", p.sc.namesOf(p.ids(unpaid)), "place", p.spoken(f.at)}
	switch {
	case seat != f.seat && len(unpaid) == 0:
		return "do.ready-defend", args
	case seat != f.seat:
		return "do.ready-defend-unpaid", args
	case len(paid) == 0:
		d.Forgoes = true
		return "do.ready-off", args
	case len(unpaid) > 0:
		return "do.ready-some", args
	}
	return "do.ready-all", args
}

// lossesLabel says which units lose steps, and how far the rest goes. Where no fighter is left, none stays.
func (p *Position) lossesLabel(seat rules.Seat, c *Command) (key string, args []any) {
	args = []any{"list", p.listed(c)}
	f := inner[*combat](p)
	switch {
	case f != nil && len(c.Lines) > 0 && c.N == 0 && !slices.ContainsFunc(p.fighters(f, seat), func(u Unit) bool {
		return steps(c.Lines, u) < p.stepsLeft(u)
	}):
		return "do.lose-dead", args
	case len(c.Lines) == 0 && c.N == 0:
		return "do.lose-nothing", args
	case len(c.Lines) == 0:
		return "do.lose-none", args
	case c.N == 0:
		return "do.lose-stay", args
	}
	return "do.lose", args
}

// retreatLabel says what the way costs for certain: steps, or all that goes it (OCS 9.12e).
func (p *Position) retreatLabel(c *Command) (key string, args []any) {
	key = "do.retreat"
	switch {
	case len(c.Lines) == 0:
	case slices.ContainsFunc(combatants(p, c.Units), func(u Unit) bool {
		return steps(c.Lines,
			u) < p.capacity([]Unit{u})
	}):
		key += "-lose"
	default:
		key += "-dead"
	}
	if len(c.Path) > 1 {
		key += "-via"
		args = append(args, "via", p.sc.placeNames(p.placeIDs(c.Path[:len(c.Path)-1])))
	}
	return key, append(args, "list", p.listed(c))
}

// costOf is what a command pays, and from where.
func (p *Position) costOf(c *Command) rules.Text {
	if !paysTokens(c.Kind) {
		return rules.Text{}
	}
	var list []rules.Words
	total := 0
	for _, l := range c.Lines {
		key := "pay.from"
		if l.Unit != NoUnit {
			key = "pay.unit"
		}
		if l.By != NoUnit {
			key += "-by"
		}
		list = append(list, said(rules.Say(key, "n", l.Count, "at", p.spoken(l.At), "unit", p.unitName(l.Unit), "by",
			p.unitName(l.By))))
		total += l.Count
	}
	if len(list) == 0 {
		return rules.Text{}
	}
	return rules.Say("cost.tokens", "list", rules.Join(list, ", ", "、"), "n", total)
}

// paysTokens reports whether the lines of a kind are tokens that are paid.
func paysTokens(k Kind) bool {
	switch k {
	case KindPay, KindBarrage, KindFuel, KindFuelHQ, KindFuelFormation, KindFuelIndependents, KindRestock, KindFeed,
		KindRefit, KindScout, KindConstruct:
		return true
	}
	return false
}

// listed are the lines of a command that is no payment: terrains of places, or steps of units.
func (p *Position) listed(c *Command) rules.Words {
	list := make([]rules.Words, 0, len(c.Lines))
	for _, l := range c.Lines {
		switch {
		case c.Kind == KindTerrain:
			list = append(list, rules.Join([]rules.Words{p.spoken(l.At), p.sc.terrainName(l.Terrain)}, ": ", "："))
		case l.At != Nowhere:
			list = append(list,
				said(rules.Say("line.at", "unit", p.unitName(l.Unit), "n", l.Count, "at", p.spoken(l.At))))
		case (c.Kind == KindLosses || c.Kind == KindSuffer) && l.Count >= p.stepsLeft(l.Unit):
			list = append(list, said(rules.Say("line.dead", "unit", p.unitName(l.Unit))))
		default:
			list = append(list, said(rules.Say("line.steps", "unit", p.unitName(l.Unit), "n", l.Count)))
		}
	}
	return rules.Join(list, ", ", "、")
}

// cargoOf is what a command loads, unloads, ships or flies: its units, then its tokens.
func (p *Position) cargoOf(c *Command) rules.Words {
	list := make([]rules.Words, 0, len(c.Units)+len(c.Lines)+1)
	flies := c.Kind == KindAirlift || c.Kind == KindAirdrop || c.Kind == KindFlyOn
	switch {
	case flies || c.Kind == KindLand:
		for _, l := range c.Lines {
			w := p.unitName(l.Unit)
			if l.Unit == NoUnit {
				w = rules.Words{En: strconv.Itoa(l.Count) + "T"}
			}
			list = append(list, w)
		}
	default:
		for _, u := range c.Units {
			list = append(list, p.unitName(u))
		}
	}
	if !flies && c.N > 0 || len(list) == 0 {
		list = append(list, rules.Words{En: strconv.Itoa(c.N) + "T"})
	}
	return rules.Join(list, ", ", "、")
}

// departs is where a command's journey begins.
func (p *Position) departs(c *Command) Place {
	switch {
	case c.From != Nowhere:
		return c.From
	case len(c.Units) > 0 && int(c.Units[0]) < len(p.units):
		return p.spot(c.Units[0])
	case c.Unit != NoUnit && int(c.Unit) < len(p.units):
		return p.spot(c.Unit)
	}
	return Nowhere
}

// spoken is the name of a place.
func (p *Position) spoken(at Place) rules.Words { return p.sc.placeName(p.sc.PlaceID(at)) }

// said is a message in every language, as a part of another.
func said(t rules.Text) rules.Words {
	return catalogue.Words(t)
}

// faceText is a reference to the name of a face.
func faceText(f Face) string {
	if f == MoveFace {
		return "@face.move"
	}
	return "@face.combat"
}
