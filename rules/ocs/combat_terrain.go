package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// sideTerrains is the first number of a hexside terrain, as in a Line.
const sideTerrains = 100

// site is a hex for which the defender chooses a terrain: an attacking hex (OCS 9.4b) or its own (OCS 9.4c, OCS 9.3b).
type site struct {
	at      Place
	across  int // which attacking hex it is, -1 for the own hex
	chosen  int16
	options []int16
}

// ownSite is in the place of an attacking hex for the defender's own hex.
const ownSite = -1

// fields are the terrains of a hex in which units can fight.
func (p *Position) fields(at Place) (list []int16) {
	for _, t := range p.sc.Hexes[at].Terrains {
		if p.sc.Terrains[t].Category[p.frozen()] != noCategory {
			list = append(list, int16(t))
		}
	}
	return list
}

// siting is a procedure in which the defender chooses terrains: a combat or a barrage.
type siting interface {
	frame
	// sites are its choices.
	sites(p *Position) []site
	// choose notes the terrain of a site.
	choose(s site, terrain int16)
	// copied is a copy of it, to note a choice in.
	copied() siting
}

// sites are, for each attacking hex, the terrains of the defending hex and those of the hexside, and for the defending
// hex its own.
func (f *combat) sites(p *Position) []site {
	own := p.fields(f.at)
	list := []site{{f.at, ownSite, f.terrain, own}}
	for i, from := range f.hexes {
		s := site{from, i, noTerrain, append([]int16(nil), own...)}
		if i < len(f.across) {
			s.chosen = f.across[i]
		}
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

func (f *combat) choose(s site, terrain int16) {
	if s.across == ownSite {
		f.terrain = terrain
		return
	}
	f.across = slices.Clone(f.across) // the list may be shared
	for len(f.across) <= s.across {
		f.across = append(f.across, noTerrain)
	}
	f.across[s.across] = terrain
}

func (f *combat) copied() siting { return f.stepped(f.step) }

// sites are the terrain of the target.
func (f *barrage) sites(p *Position) []site {
	return []site{{f.at, ownSite, f.terrain, p.fields(f.at)}}
}

func (f *barrage) choose(_ site, terrain int16) { f.terrain = terrain }

func (f *barrage) copied() siting { return f.stepped(f.step) }

// unchosen are the sites that wait for a choice.
func (p *Position) unchosen(f siting) (list []site) {
	for _, s := range f.sites(p) {
		if s.chosen == noTerrain {
			list = append(list, s)
		}
	}
	return list
}

// chooseOnly chooses where there is nothing to choose from. The terrain is known to both sides.
func (p *Position) chooseOnly(f siting) {
	for _, s := range p.unchosen(f) {
		if len(s.options) == 1 {
			f.choose(s, s.options[0])
		}
	}
}

// checkTerrain says why a choice of terrains is not among those that the defender has.
func (p *Position) checkTerrain(_ rules.Seat, c *Command) *rules.Refusal {
	if len(c.Lines) == 0 {
		return rules.Malformed("the command chooses no terrain")
	}
	open := p.unchosen(inner[siting](p))
	for _, l := range c.Lines {
		found := -1
		for i, s := range open {
			if s.at == l.At {
				found = i
			}
		}
		if found < 0 {
			return rules.Refuse("OCS 9.4b", "refuse.no-terrain-choice",
				"hex", p.sc.PlaceID(l.At)).At(p.sc.PlaceID(l.At))
		}
		s := open[found]
		if !hasTerrain(s.options, l.Terrain) {
			rule := "OCS 9.4b"
			if s.across == ownSite {
				rule = "OCS 9.4c"
			}
			return rules.Refuse(rule, "refuse.terrain", "hex", p.sc.PlaceID(l.At),
				"terrain", p.sc.terrainName(l.Terrain)).At(p.sc.PlaceID(l.At))
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
	fact := &ocsv1.TerrainChosen{Seat: seatIDs[seat]}
	next := inner[siting](p).copied()
	for _, s := range p.unchosen(next) {
		for _, l := range cmd.Lines {
			if l.At == s.at {
				next.choose(s, l.Terrain)
				fact.Lines = append(fact.Lines, &ocsv1.Line{At: p.sc.PlaceID(l.At), Terrain: p.sc.terrainID(l.Terrain)})
			}
		}
	}
	c := p.changed()
	c.frame(next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_TerrainChosen{TerrainChosen: fact}})
}

// listTerrain lists one choice for one hex at a time; the question comes again for the others.
func listTerrain(l *lister) {
	for _, s := range l.p.unchosen(inner[siting](l.p)) {
		for _, t := range s.options {
			c := only(KindTerrain)
			c.Lines = []Line{{Unit: NoUnit, At: s.at, By: NoUnit, Terrain: t}}
			l.checked(c)
		}
	}
}
