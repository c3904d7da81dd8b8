package ocs

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// dukwAshore finds the transports that a DUKW is on land (OCS 18.4e).
func (l *loader) dukwAshore(path string, t *ocsv1.LandingCraft, seat rules.Seat) uint16 {
	if t.GetAshore() == "" {
		return noCounter
	}
	n, ok := l.sc.kinds[t.GetAshore()+"-"+seatIDs[seat]]
	if !ok || l.sc.Counters[n].Kind != TransportPoints || Craft(t.GetKind()) != dukw {
		l.Fault(path, "the side has no transports of kind %.40q, or this is no DUKW", t.GetAshore())
		return noCounter
	}
	return n
}

// craftCargo checks the supply aboard landing craft: it must fit (OCS 18.4a).
func (l *loader) craftCargo(path string, t *ocsv1.CraftPoints) {
	if t.GetLoadT() > t.GetPointsT() {
		l.Fault(path+".load_t", "%dT aboard of %dT of points", t.GetLoadT(), t.GetPointsT())
	}
}

// landings checks the Amphibious Landing Table and what terrains say of it (OCS 18.5f). Games with
// landing craft need it.
func (l *loader) landings() {
	chart := l.doc.GetCharts().GetLanding()
	if chart == nil {
		if len(l.doc.GetCounters().GetLandingCraft()) > 0 {
			l.Fault("charts.landing", "a game with landing craft needs the Amphibious Landing Table")
		}
		return
	}
	known := map[string]bool{}
	for i, r := range chart.GetRows() {
		if known[r.GetId()] || r.GetId() == "" || r.GetFailureMax() >= r.GetSuccessMin() {
			l.Fault(fmt.Sprintf("charts.landing.rows[%d]", i), "%.40q is given twice, or its numbers do not fit",
				r.GetId())
		}
		known[r.GetId()] = true
	}
	if !known[portRow] {
		l.Fault("charts.landing.rows", "no row %q", portRow)
	}
	for i, t := range l.doc.GetTerrain().GetHexes() {
		if t.GetLanding() != "" && !known[t.GetLanding()] {
			l.Fault(fmt.Sprintf("terrain.hexes[%d].landing", i), "the table has no row %.40q", t.GetLanding())
		}
	}
}

// setUpCraft puts landing craft down, with what is aboard.
func (p *Position) setUpCraft(x *exec, at Place, t *ocsv1.CraftPoints) {
	counter := p.sc.kinds[t.GetCraft()]
	c := p.changed()
	m := c.create(counter, at)
	m.PointsT, m.LoadT = proto.Uint32(t.GetPointsT()), proto.Uint32(t.GetLoadT())
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_GameSetUp{GameSetUp: &ocsv1.GameSetUp{}}})
}
