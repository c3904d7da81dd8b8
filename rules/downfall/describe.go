package downfall

import (
	"strconv"

	"github.com/warledger/warledger/rules"
)

// describe says what a command does and touches. It makes sense of any command, legal or not.
func (p *Position) describe(seat rules.Seat, c Command) rules.Description {
	d := rules.Description{}
	if c.Kind == KindNone || c.Kind >= numKinds {
		return d
	}
	d.Kind = kinds[c.Kind].id
	if cost := p.price(c); cost > 0 {
		d.Cost = rules.Say("cost.cp", "n", cost)
	}
	if !p.describeSegment(c, &d) && !p.describeAction(seat, c, &d) && !p.describeCombat(seat, c, &d) {
		d.Label = rules.Say("do." + d.Kind)
	}
	return d
}

// price is what a command costs in CP (DF 7.T). That of a consecutive attack is paid by its declaration (DF 7.8-c).
func (p *Position) price(c Command) int {
	cp := &p.sc.Chart.CP
	switch c.Kind {
	case KindMove:
		return cp.Move
	case KindEnter:
		switch u := c.ways()[0].Unit; {
		case u == p.sc.Service:
			return cp.Service
		case p.tab.japan.Has(u):
			return cp.Enter56
		}
		return cp.Enter
	case KindAttack:
		return cp.Attack
	case KindDeclare:
		return int(p.decl.count) * cp.Attack
	case KindLand:
		return cp.Landing
	case KindRecover:
		return cp.Recover
	case KindRebuild, KindStepUp:
		return cp.Rebuild
	case KindDrop:
		return cp.Drop
	case KindSupply:
		if c.Hex != NoHex {
			return cp.AirSupply
		}
	}
	return 0
}

// names are the names of a set of units.
func (p *Position) names(s UnitSet) rules.Words {
	var names []rules.Words
	for u := range s.Each {
		names = append(names, p.name(u))
	}
	return enumerate(names)
}

func (p *Position) hexIDs(hexes ...Hex) []string {
	var ids []string
	for _, h := range hexes {
		if h != NoHex && int(h) < len(p.at) {
			ids = append(ids, p.sc.HexID(h))
		}
	}
	return ids
}

func (p *Position) hexName(h Hex) string {
	if h == NoHex || int(h) >= len(p.at) {
		return "-"
	}
	return p.sc.HexID(h)
}

// unitIDs are the ids of units that a command names one by one.
func (p *Position) unitIDs(units ...Unit) []string {
	var ids []string
	for _, u := range units {
		if int(u) < len(p.sc.Units) {
			ids = append(ids, p.id(u))
		}
	}
	return ids
}

// describeSegment describes the commands of set-up, of the unconventional weapons and of the supply check.
func (p *Position) describeSegment(c Command, d *rules.Description) bool {
	hex, unit := p.hexName(c.Hex), p.name(c.Unit)
	d.Pieces, d.Spaces = p.unitIDs(c.Unit), p.hexIDs(c.Hex)
	switch c.Kind {
	case KindPlace:
		d.Label = rules.Say("do.place", "unit", unit, "hex", hex)
	case KindOrders:
		p.describeOrders(c, d)
	case KindPlan:
		d.Label = rules.Say("do.plan", "hex", hex, "turn", c.turn())
	case KindZones:
		d.Label = rules.Say("do.zones", "zones", p.zoneCounts(c))
		d.Spaces = p.zoneBoxes(c)
	case KindRemove:
		d.Label = rules.Say("do.remove", "markers", numbers(markerNumbers(uint32(c.Detail))))
		d.Pieces = navalPieces(c.Detail)
	case KindBombs:
		d.Label = rules.Say("do.bombs", "n", int(c.Count))
	case KindTarget:
		d.Label = rules.Say("do.target", "target", p.aim(c))
	case KindBomb:
		d.Label = rules.Say("do.bomb", "target", p.aim(c))
	case KindLosses:
		var names []rules.Words
		for u := range c.Units.Each {
			names = append(names, counted(p.name(u), c.loss(u)))
		}
		d.Label, d.Pieces = rules.Say("do.losses", "losses", enumerate(names)), p.ids(c.Units)
	case KindSupply:
		d.Label = rules.Say("do.supply", "hex", hex)
		if c.Hex == NoHex {
			d.Label = rules.Say("do.supply-none")
		}
	default:
		return false
	}
	return true
}

// aim is the target of a bomb: a hex, or a unit in the AV Box.
func (p *Position) aim(c Command) rules.Words {
	if c.Hex == NoHex {
		return p.name(c.Unit)
	}
	return plain(p.hexName(c.Hex))
}

func (p *Position) describeOrders(c Command, d *rules.Description) {
	d.Pieces = p.unitIDs(p.sc.Infantry11)
	switch {
	case c.Hex != NoHex:
		d.Label = rules.Say("do.orders-drop", "hex", p.hexName(c.Hex), "turn", c.turn())
	case c.Count == modeInfantry:
		d.Label = rules.Say("do.orders-infantry")
	case c.Count == modeAirborne:
		d.Label = rules.Say("do.orders-airborne")
	default:
		d.Label = rules.Say("do.orders-stay")
	}
}

// zoneCounts says how many markers go to each zone.
func (p *Position) zoneCounts(c Command) rules.Words {
	ids := make([]string, 0, maxDeployed)
	for i := range min(int(c.Count), maxDeployed) {
		ids = append(ids, zoneID(p.sc, Zone(c.Detail>>(zoneBits*i)&zoneMask)))
	}
	return teller{p.sc}.zones(ids)
}

// zoneBoxes are the boxes of the zones that markers go to, each once.
func (p *Position) zoneBoxes(c Command) []string {
	var ids []string
	for z := range p.sc.Zones {
		for i := range min(int(c.Count), maxDeployed) {
			if c.Detail>>(zoneBits*i)&zoneMask == uint64(z) {
				ids = append(ids, zoneBox+p.sc.Zones[z].ID)
				break
			}
		}
	}
	return ids
}

// navalPieces are the ids of naval markers on the board.
func navalPieces(set uint64) []string {
	var ids []string
	for m := range maxNaval {
		if set&(1<<m) != 0 {
			ids = append(ids, "naval-"+strconv.Itoa(m+1))
		}
	}
	return ids
}
