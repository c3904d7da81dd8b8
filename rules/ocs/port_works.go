package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Ports are repaired and given hits by their owner (OCS 19.0c, OCS 19.0d), as the other works of OCS 13.8d.

// portRepairT is what a hit costs to repair, in tokens (OCS 19.0d).
const portRepairT = oneSP

// portWork reports whether a job is done on a port.
func portWork(job ocsv1.Job) bool {
	return job == ocsv1.Job_JOB_REPAIR_PORT || job == ocsv1.Job_JOB_DAMAGE_PORT
}

// portPrice is what a job on a port costs in tokens (OCS 13.8d-iii): with revised construction a port of 1 SP or less
// is repaired for its present capacity, one without any for a token (OCS 21.11b).
func (p *Position) portPrice(job ocsv1.Job, at Hex) int {
	if job == ocsv1.Job_JOB_DAMAGE_PORT {
		return 0
	}
	if left := p.portLeft(Place(at)); p.opt.revisedConstruction && left <= oneSP {
		return max(1, left)
	}
	return portRepairT
}

// checkPortWork says why a port may not be worked on: it must be the side's, once in a phase, with a hit
// to repair or to give.
func (p *Position) checkPortWork(seat rules.Seat, job ocsv1.Job, at Hex) *rules.Refusal {
	id, c := p.sc.Map.ID(at), &p.cells[at]
	rule := "OCS 19.0d"
	if job == ocsv1.Job_JOB_DAMAGE_PORT {
		rule = "OCS 19.0c"
	}
	switch {
	case p.sc.Hexes[at].Port == 0 || c.owner != seat:
		return rules.Refuse(rule, "refuse.port-not-yours", "hex", id).At(id)
	case c.marks.has(ocsv1.HexMark_HEX_MARK_PORT_CHANGED):
		return rules.Refuse(rule, "refuse.port-once", "hex", id).At(id)
	case job == ocsv1.Job_JOB_REPAIR_PORT && c.hits == 0:
		return rules.Refuse(rule, "refuse.port-whole", "hex", id).At(id)
	case job == ocsv1.Job_JOB_DAMAGE_PORT && c.hits >= maxPortHits:
		return rules.Refuse(rule, "refuse.port-ruined", "hex", id, "n", maxPortHits).At(id)
	}
	return nil
}

// workPort changes the hits of a port at once, and tells it.
func (p *Position) workPort(x *exec, seat rules.Seat, job ocsv1.Job, at Place) {
	hits := uint32(p.cell(at).hits) + 1
	if job == ocsv1.Job_JOB_REPAIR_PORT {
		hits -= 2
	}
	c := p.changed()
	m := c.hex(at)
	m.PortHits, m.Set = proto.Uint32(hits), []ocsv1.HexMark{ocsv1.HexMark_HEX_MARK_PORT_CHANGED}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_Constructed{Constructed: &ocsv1.Constructed{
		Seat: seatIDs[seat], Job: job, Hex: p.sc.PlaceID(at), Level: hits,
	}}})
}
