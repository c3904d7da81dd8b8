package downfall

import (
	"math/bits"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// Chapter 6, first half: the fleet and the kamikaze. The bombs are in bombs.go.

// rollFleet decides in the first step of a turn (DF 5.2-IA1) whether the British Pacific Fleet is there: on an even
// d10 (DF 6.2, D-11).
func (p *Position) rollFleet(x *exec) {
	die := p.d10(x, "bpf")
	m := &p.sc.Chart.Markers
	naval, air := m.USNaval, m.USAir
	if die%2 == 0 {
		naval, air = naval+m.BPFNaval, air+m.BPFAir
	}
	emit(x, &downfallv1.FleetRolled{
		Die: uint32(die), British: die%2 == 0, Naval: uint32(naval), Air: uint32(air),
	})
}

// checkZones checks the deployment (DF 5.2-IA2): every available marker has a zone (DF 6.3-a). Air markers have none
// (DF 6.3-b).
func (p *Position) checkZones(c Command) *rules.Refusal {
	n := bits.OnesCount32(p.navalHere)
	if int(c.Count) != n {
		return p.refuse("DF 6.3-a", "refuse.zones", "given", int(c.Count), "need", n)
	}
	for i := range n {
		if int(c.Detail>>(zoneBits*i)&zoneMask) >= len(p.sc.Zones) {
			return p.refuse("DF 6.3-a", "refuse.zone")
		}
	}
	return nil
}

func (p *Position) playZones(x *exec, c Command) {
	e := &downfallv1.NavalDeployed{}
	for i := range int(c.Count) {
		e.Zones = append(e.Zones, p.sc.Zones[c.Detail>>(zoneBits*i)&zoneMask].ID)
	}
	emit(x, e)
}

// legalZones lists deployments with the markers of each nation in the order of their zones, since they are alike.
func (p *Position) legalZones(yield func(Command) bool) bool {
	c := only(KindZones)
	c.Count = uint8(bits.OnesCount32(p.navalHere))
	return p.zonesFrom(&c, 0, yield)
}

func (p *Position) zonesFrom(c *Command, marker int, yield func(Command) bool) bool {
	if marker == int(c.Count) {
		return yield(*c)
	}
	first := uint64(0)
	if marker > 0 && marker != p.sc.Chart.Markers.USNaval {
		first = c.Detail >> (zoneBits * (marker - 1)) & zoneMask
	}
	for z := first; z < uint64(len(p.sc.Zones)); z++ {
		c.Detail = c.Detail&^(zoneMask<<(zoneBits*marker)) | z<<(zoneBits*marker)
		if !p.zonesFrom(c, marker+1, yield) {
			return false
		}
	}
	return true
}

// stepKamikaze is the Kamikaze Phase (DF 5.2-IB): it rolls, removes markers that leave no choice, and goes on (DF 6.4
// to DF 6.7).
func (p *Position) stepKamikaze(x *exec) {
	switch {
	case !p.kamikaze:
		p.rollKamikaze(x)
	case p.navalExcess() > 0: // without a choice (DF 6.7-a)
		p.removeNaval(x, p.lowest(p.navalReady, p.navalExcess()))
	case p.air > p.airCap: // air markers are alike (DF 6.7-b)
		emit(x, &downfallv1.AirRemoved{Count: uint32(p.air - p.airCap)})
	default:
		p.nextPhase(x)
	}
}

// rollKamikaze rolls, modifies by the turn (DF 6.6), clamps (DF 6.6-5) and reads the table (DF 6.5).
func (p *Position) rollKamikaze(x *exec) {
	die := p.d10(x, "kamikaze")
	byTurn := p.sc.Chart.Turns[p.turn].Kamikaze
	modified := kamikazeRow(die + byTurn)
	row := &p.sc.Chart.Kamikaze[modified]
	e := &downfallv1.KamikazeRolled{
		Die: uint32(die), Modified: uint32(modified), UsCp: uint32(row.USCP), JapanMf: uint32(row.JPMF),
		JapanCp: uint32(row.JPCP), Ban: row.Ban, TurnModifier: int32(byTurn),
	}
	if row.AirCap != scenario.NoCap {
		e.AirCap = new(uint32(row.AirCap))
	}
	if row.NavalCap != scenario.NoCap {
		e.NavalCap = new(uint32(row.NavalCap))
	}
	emit(x, e)
}

// kamikazeRow is the row of the table for a modified die (DF 6.6-5).
func kamikazeRow(modified int) int { return min(max(modified, 1), 10) }

// navalExcess is how many naval markers are placed above the cap.
func (p *Position) navalExcess() int { return bits.OnesCount32(p.navalReady) - int(p.navalCap) }

// navalChoice reports whether it matters which markers go: not if all do, or all are in one zone (DF 6.7-a).
func (p *Position) navalChoice() bool {
	zone := NoZone
	for m := range p.navalZone {
		if p.navalReady&(1<<m) == 0 {
			continue
		}
		if zone != NoZone && p.navalZone[m] != zone {
			return p.navalCap > 0
		}
		zone = p.navalZone[m]
	}
	return false
}

// lowest are the n lowest markers of a set.
func (p *Position) lowest(set uint32, n int) uint32 {
	var s uint32
	for ; n > 0 && set != 0; n-- {
		s |= set & -set
		set &= set - 1
	}
	return s
}

func (p *Position) removeNaval(x *exec, markers uint32) {
	emit(x, &downfallv1.NavalRemoved{Markers: markerNumbers(markers)})
}

// checkRemove checks which markers Japan removes: as many as are above the cap, British ones like US ones (DF 6.7-a).
func (p *Position) checkRemove(c Command) *rules.Refusal {
	n, need := bits.OnesCount64(c.Detail), p.navalExcess()
	switch {
	case c.Detail&^uint64(p.navalReady) != 0:
		return p.refuse("DF 6.7-a", "refuse.marker")
	case n != need:
		return p.refuse("DF 6.7-a", "refuse.remove", "given", n, "need", need)
	}
	return nil
}

// legalRemove lists how many go from each zone, taking those with the lowest numbers.
func (p *Position) legalRemove(yield func(Command) bool) bool {
	c := only(KindRemove)
	return p.removeFrom(&c, 0, p.navalExcess(), yield)
}

func (p *Position) removeFrom(c *Command, z Zone, left int, yield func(Command) bool) bool {
	if left == 0 {
		return yield(*c)
	}
	if int(z) == len(p.sc.Zones) {
		return true
	}
	here, before := p.readyIn(z), c.Detail
	for n := range min(left, bits.OnesCount32(here)) + 1 {
		c.Detail = before | uint64(p.lowest(here, n))
		if !p.removeFrom(c, z+1, left-n, yield) {
			return false
		}
	}
	c.Detail = before
	return true
}

// readyIn are the ready markers in a zone.
func (p *Position) readyIn(z Zone) uint32 {
	var s uint32
	for m := range p.navalZone {
		if p.navalReady&(1<<m) != 0 && p.navalZone[m] == z {
			s |= 1 << m
		}
	}
	return s
}
