package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// view is the typed position as the viewer may see it: all of it but the standing orders of others, of
// which it has the consents.
func (p *Position) view(v rules.Viewer) *anniversaryv1.Position {
	m := &anniversaryv1.Position{
		Round: uint32(p.round), Power: protoPower(p.power), Acting: protoPower(p.acting),
		Phase:  anniversaryv1.Phase(p.phase),
		Orders: map[string]*anniversaryv1.StandingOrders{},
	}
	for w := range NumPowers {
		m.Powers = append(m.Powers, p.viewPower(w))
	}
	for s := range p.sc.Land {
		if p.owner[s] != NoPower {
			m.Territories = append(m.Territories, &anniversaryv1.TerritoryView{
				Id: p.sc.SpaceID(s), Owner: protoPower(p.owner[s]), Complex: p.complexes.Has(s),
				Damage: uint32(p.damage[s]),
			})
		}
	}
	for _, g := range p.groups {
		m.Stacks = append(m.Stacks, &anniversaryv1.StackView{Stack: p.stack(g.Key), Count: uint32(g.N)})
	}
	if b := &p.battle; b.on() {
		m.Battle = &anniversaryv1.BattleView{
			Space: p.sc.SpaceID(b.at), Stage: anniversaryv1.Stage(b.stage), Round: uint32(b.round),
			Chooser: protoPower(b.chooser),
		}
		for _, n := range b.hits {
			m.Battle.Hits = append(m.Battle.Hits, uint32(n))
		}
	}
	for w := range NumSeats {
		o := p.orders[w].message()
		if !p.mayRead(v, w) {
			o = &anniversaryv1.StandingOrders{Carriers: o.GetCarriers(), Transports: o.GetTransports()}
		}
		if p.mayRead(v, w) || o.Carriers != 0 || o.Transports != 0 {
			m.Orders[w.ID()] = o
		}
	}
	return m
}

// mayRead reports whether a viewer may know all standing orders of a seat. They are the only secret of the game, but
// for the consents, which decide what allies may do (AA 8.1.12).
func (p *Position) mayRead(v rules.Viewer, w Power) bool {
	return v.MaySee(rules.OnlySeats(w.Seat()))
}

func (p *Position) viewPower(w Power) *anniversaryv1.PowerView {
	m := &anniversaryv1.PowerView{Power: protoPower(w), Production: uint32(p.production(w))}
	for u, n := range p.pool[w] {
		if n > 0 {
			m.Waiting = append(m.Waiting, &anniversaryv1.Line{Unit: protoUnit(Unit(u)), Count: uint32(n)})
		}
	}
	if w >= NumSeats {
		return m
	}
	m.Ipcs, m.Researchers = uint32(p.ipc[w]), uint32(p.tokens[w])
	for t := range NumTechs {
		if p.tech[w].Has(t) {
			m.Technologies = append(m.Technologies, anniversaryv1.Technology(t+1))
		}
	}
	return m
}

// assumedOrders is what seats that are not the viewer's are taken to have ordered: nothing.
const assumedOrders = "assume.orders"

// Known takes the standing orders away that the viewer may not read, but for the consents: they are the
// only secret of the game.
func (p *Position) Known(v rules.Viewer) (*Position, []rules.Text) {
	k, hidden := p.Clone(), false
	for w := range NumSeats {
		if !p.mayRead(v, w) {
			k.orders[w], hidden = standing{carriers: p.orders[w].carriers, transports: p.orders[w].transports}, true
		}
	}
	if !hidden {
		return k, nil
	}
	return k, []rules.Text{rules.Say(assumedOrders)}
}
