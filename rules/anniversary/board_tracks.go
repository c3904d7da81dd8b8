package anniversary

import (
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules/kit"
)

// tracks are the round, victory cities of the sides, and what each power has.
func (d *drawer) tracks() []*boardv1.Track {
	round := d.track("round", "track.round", int(d.round), NoPower)
	all := []*boardv1.Track{round}
	for _, side := range [2]Side{Axis, Allies} {
		t := d.track("cities-"+sideIDs[side], "track.cities", d.citiesOf(side), NoPower)
		t.Name = d.say("track.cities", "side", sideName(side))
		t.Min, t.Max = new(int64(0)), new(int64(len(d.sc.Cities)))
		t.Text = d.say("track.cities-text", "n", d.citiesOf(side), "needed", int(d.opt.cities),
			"cities", d.cityNames(side))
		t.Rank = int32(side) + 2
		all = append(all, t)
	}
	for _, w := range d.sc.Order {
		all = append(all, d.powerTracks(w)...)
	}
	return all
}

// track makes a track of the board; one of a power has its id in front.
func (d *drawer) track(id, key string, value int, w Power) *boardv1.Track {
	t := &boardv1.Track{Id: id, Name: d.say(key), Value: int64(value)}
	if w < NumPowers {
		t.Id, t.Owner = w.ID()+"-"+id, seatID(w)
		t.Name = d.say(key, "power", powerName(w))
	}
	return t
}

// cityNames are the victory cities of a side.
func (d *drawer) cityNames(side Side) string {
	var names []string
	for _, s := range d.sc.Cities {
		if d.owner[s].Side() == side {
			names = append(names, kit.InLang(d.sc.Spaces[s].City, d.lang))
		}
	}
	return orNone(strings.Join(names, d.say("list.comma")))
}

// powerTracks are treasury, production level (AA 14.1.2), researchers, technologies and fulfilled
// objectives of a power.
func (d *drawer) powerTracks(w Power) []*boardv1.Track {
	production := d.track("production", "track.production", d.production(w), w)
	if d.capitalLost(w) {
		production.Text = d.say("track.no-capital")
	}
	ipcs := d.track("ipcs", "track.ipcs", int(d.ipc[w]), w)
	ipcs.Rank, production.Rank = 1, 4 // money is counted more often than cities
	all := []*boardv1.Track{ipcs, production}
	if d.opt.has(optResearch) {
		all = append(all, d.track("researchers", "track.researchers", int(d.tokens[w]), w))
	}
	if d.tech[w] != 0 {
		t := d.track("technologies", "track.technologies", 0, w)
		var names []string
		for x := range NumTechs {
			if d.tech[w].Has(x) {
				t.Value++
				names = append(names, kit.InLang(d.sc.Techs[x].Name, d.lang))
			}
		}
		t.Text = strings.Join(names, d.say("list.comma"))
		all = append(all, t)
	}
	if !d.opt.has(optObjectives) {
		return all
	}
	return append(all, d.objectiveTracks(w)...)
}

// objectiveTracks are the national objectives of a power with what they pay now (AA 14.2).
func (d *drawer) objectiveTracks(w Power) []*boardv1.Track {
	var all []*boardv1.Track
	for i := range d.sc.Objectives {
		o := &d.sc.Objectives[i]
		if o.Power != w {
			continue
		}
		t := &boardv1.Track{
			Id: "objective-" + o.ID, Name: kit.InLang(o.Title, d.lang), Text: kit.InLang(o.Text, d.lang),
			Owner: seatID(w),
			Min:   new(int64(0)), Max: new(int64(o.Bonus)),
		}
		if d.fulfilled(o) {
			t.Value = int64(o.Bonus)
		}
		all = append(all, t)
	}
	return all
}
