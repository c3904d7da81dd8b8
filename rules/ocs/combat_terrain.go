package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// sideTerrains is the first number of a hexside terrain, as in a Line.
const sideTerrains = 100

// site is a hex for which the defender chooses a terrain: an attacking hex (OCS 9.4b) or its own (OCS 9.4c, OCS 9.3b). Number is where the frame keeps it.
type site struct {
	at      Place
	number  int
	options []int16
}

// fields are the terrains of a hex in which units can fight.
func (p *Position) fields(at Place) (list []int16) {
	for _, t := range p.sc.Hexes[at].Terrains {
		if p.sc.Terrains[t].Category[p.frozen()] != noCategory {
			list = append(list, int16(t))
		}
	}
	return list
}

// sites are the choices of a combat: for each attacking hex the terrains of the defending hex and those of the hexside, for the defending hex its own; of a
// barrage, the terrain of the target.
func (p *Position) sites(f *frame) []site {
	own := p.fields(f.at)
	if f.kind == FrameKind(ocsv1.FrameKind_FRAME_KIND_BARRAGE) {
		return []site{{f.at, barrageTerrain, own}}
	}
	list := []site{{f.at, combatOwnTerrain, own}}
	for i, from := range f.places {
		s := site{from, combatTerrains + i, append([]int16(nil), own...)}
		if d, ok := p.sc.Map.DirTo(from.Hex(), f.at.Hex()); ok {
			for set := p.sc.Hexes[from].Sides[d]; set != 0; set &= set - 1 {
				if n := bit(set); p.sc.Features[n].Fought[p.frozen()] {
					s.options = append(s.options, sideTerrains+int16(n))
				}
			}
		}
		if surf := p.sc.surf(); f.isBeach() && surf >= 0 { // OCS 18.6a-F
			s.options = append(s.options, sideTerrains+int16(surf))
		}
		list = append(list, s)
	}
	return list
}

// unchosen are the sites that wait for a choice.
func (p *Position) unchosen(f *frame) (list []site) {
	for _, s := range p.sites(f) {
		if f.number(s.number) == 0 {
			list = append(list, s)
		}
	}
	return list
}

// chooseOnly chooses where there is nothing to choose from. The terrain is known to both sides.
func (p *Position) chooseOnly(f frame) frame {
	for _, s := range p.unchosen(&f) {
		if len(s.options) == 1 {
			f = f.with(s.number, int(s.options[0])+1)
		}
	}
	return f
}

// checkTerrain says why a choice of terrains is none of those that the defender has.
func (p *Position) checkTerrain(_ rules.Seat, c *Command) *rules.Refusal {
	if len(c.Lines) == 0 {
		return rules.Malformed("the command chooses no terrain")
	}
	open := p.unchosen(p.top())
	for _, l := range c.Lines {
		found := -1
		for i, s := range open {
			if s.at == l.At {
				found = i
			}
		}
		if found < 0 {
			return rules.Refuse("OCS 9.4b", "refuse.no-terrain-choice", "hex", p.sc.PlaceID(l.At)).At(p.sc.PlaceID(l.At))
		}
		s := open[found]
		if !hasTerrain(s.options, l.Terrain) {
			rule := "OCS 9.4b"
			if s.at == p.top().at {
				rule = "OCS 9.4c"
			}
			return rules.Refuse(rule, "refuse.terrain", "hex", p.sc.PlaceID(l.At), "terrain", p.sc.terrainName(l.Terrain)).At(p.sc.PlaceID(l.At))
		}
		open = append(open[:found:found], open[found+1:]...)
	}
	return nil
}

func hasTerrain(list []int16, t int16) bool {
	for _, o := range list {
		if o == t {
			return true
		}
	}
	return false
}

// terrainName is the name of a terrain of hexes or hexsides.
func (s *Scenario) terrainName(n int16) rules.Words {
	switch {
	case n >= sideTerrains && int(n-sideTerrains) < len(s.Features):
		return s.Features[n-sideTerrains].Name
	case n >= 0 && int(n) < len(s.Terrains):
		return s.Terrains[n].Name
	}
	return rules.Words{En: "-"}
}

// playTerrain notes the choice. The question comes again until every hex has one.
func (p *Position) playTerrain(x *exec, seat rules.Seat, cmd *Command) {
	f := *p.top()
	fact := &ocsv1.TerrainChosen{Seat: seatIDs[seat]}
	for _, s := range p.unchosen(&f) {
		for _, l := range cmd.Lines {
			if l.At == s.at {
				f = f.with(s.number, int(l.Terrain)+1)
				fact.Lines = append(fact.Lines, &ocsv1.Line{At: p.sc.PlaceID(l.At), Terrain: p.sc.terrainID(l.Terrain)})
			}
		}
	}
	c := p.changed()
	c.frame(f)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_TerrainChosen{TerrainChosen: fact}})
}

// listTerrain lists one choice for one hex at a time; the question comes again for the others.
func listTerrain(l *lister) {
	for _, s := range l.p.unchosen(l.p.top()) {
		for _, t := range s.options {
			c := only(KindTerrain)
			c.Lines = []Line{{Unit: NoUnit, At: s.at, By: NoUnit, Terrain: t}}
			l.checked(c)
		}
	}
}
