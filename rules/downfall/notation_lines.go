package downfall

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// lastTurn is the last turn that a position can name.
func (n *notes) lastTurn() int { return min(n.p.sc.Chart.LastTurn(), 127) }

func (n *notes) turn() {
	p := n.p
	if !n.Line("turn", true) {
		return
	}
	kit.Int(n.Notes, &p.turn, 0, n.lastTurn())
	kit.Name(n.Notes, &p.phase, phaseIDs[:])
	kit.Count(n.Notes, "step", &p.step, 0, 127, 0)
	n.Flag("ended", &p.ended)
	kit.Count(n.Notes, "cp", &p.cp, 0, 127, 0)
	kit.Count(n.Notes, "vp", &p.vp, -1000, 1000, 0)
	n.Flag("consecutive", &p.consecutiveUsed)
	n.Flag("followmixed", &p.followMixed)
}

// awards are those earned, lost again, and barred before they were earned.
func (n *notes) awards() {
	p := n.p
	if !n.Line("awards", p.earned|p.lost != 0) {
		return
	}
	for i := range p.sc.Chart.Awards {
		if id := p.sc.Chart.Awards[i].ID; !n.Reading && (p.lost|p.earned)>>i&1 != 0 {
			n.Word(id + [...]string{1: "", 2: ":barred", 3: ":lost"}[p.lost>>i&1<<1|p.earned>>i&1])
		}
	}
	for n.Going() {
		id, how, _ := strings.Cut(n.Next(), ":")
		i := p.sc.AwardByID(id)
		if i < 0 {
			continue // shows when the position is written again
		}
		if how != "barred" {
			p.earned |= 1 << i
		}
		if how != "" {
			p.lost |= 1 << i
		}
	}
}

func (n *notes) kamikaze() {
	p := n.p
	if !n.Line("kamikaze", p.kamikaze) {
		return
	}
	p.kamikaze = true
	kit.Named(n.Notes, "cp", &p.usCP, 0, 127)
	kit.Count(n.Notes, "air", &p.airCap, 0, 127, scenario.NoCap)
	kit.Count(n.Notes, "naval", &p.navalCap, 0, 127, scenario.NoCap)
	kit.Named(n.Notes, "mf", &p.jpMF, 0, 127)
	kit.Count(n.Notes, "jp", &p.jpCP, 0, 127, 0)
	n.Flag("ban", &p.ban)
}

func (n *notes) air() {
	if n.Line("air", n.p.air > 0) {
		kit.Int(n.Notes, &n.p.air, 1, 127)
	}
}

// naval are the markers: number, zone, and whether it was used or is gone.
func (n *notes) naval() {
	p := n.p
	var words []string
	for m := range maxNaval {
		here, ready, zone := p.navalHere>>m&1 != 0, p.navalReady>>m&1 != 0, p.navalZone[m]
		word := strconv.Itoa(m+1) + ":" + zoneID(p.sc, zone)
		switch {
		case !here && zone == NoZone:
			continue
		case !here:
			word += ":gone"
		case !ready && zone != NoZone:
			word += ":used"
		}
		words = append(words, word)
	}
	if !n.Line("naval", len(words) > 0) {
		return
	}
	if !n.Reading {
		n.Word(words...)
	}
	for n.Going() {
		n.readNaval(n.Next())
	}
}

func zoneID(sc *Scenario, z Zone) string {
	if int(z) < len(sc.Zones) {
		return sc.Zones[z].ID
	}
	return "-"
}

func (n *notes) readNaval(word string) {
	p := n.p
	parts := strings.Split(word, ":")
	m, err := strconv.ParseUint(parts[0], 10, 8)
	if err != nil || m < 1 || m > maxNaval || len(parts) < 2 {
		n.Fail("expected a naval marker and its zone, not %.40q", word)
		return
	}
	m--
	p.navalZone[m] = p.sc.ZoneByID(parts[1])
	how := strings.Join(parts[2:], ":")
	if how != "gone" {
		p.navalHere |= 1 << m
	}
	if how == "" && p.navalZone[m] != NoZone {
		p.navalReady |= 1 << m
	}
}

func (n *notes) airSupply() {
	p := n.p
	if !n.Line("airsupply", p.airSupply != Out || p.airPlaced) {
		return
	}
	if n.place(&p.airSupply); n.Reading && p.airSupply >= boxes && p.airSupply != Out {
		n.Fail("the air supply unit is in a hex, or %s", boxOut)
	}
	n.Flag("placed", &p.airPlaced)
}

func (n *notes) bombs() {
	p := n.p
	if !n.Line("bombs", true) {
		return
	}
	kit.Int(n.Notes, &p.bombsLeft, 0, 127)
	kit.Count(n.Notes, "used", &p.bombsUsed, 0, 127, 0)
	kit.Count(n.Notes, "die", &p.bombDie, 0, 6, 0)
	kit.Count(n.Notes, "declared", &p.bombsDeclared, 0, maxBombs, -1)
	for stage := uint8(bombRolled); int(stage) < len(bombStageIDs); stage++ {
		if n.Option(bombStageIDs[stage], p.bombStage == stage) {
			p.bombStage = stage
			n.aim(&p.bombAt)
			kit.Int(n.Notes, &p.bombSteps, 1, 5)
		}
	}
}

func (n *notes) targets() {
	p := n.p
	if !n.Line("targets", p.bombCount > 0) {
		return
	}
	if n.Reading {
		p.bombCount = 0
	}
	for i := range p.bombTargets[:p.bombCount] {
		n.aim(&p.bombTargets[i])
	}
	for ; n.Going(); p.bombCount++ {
		if int(p.bombCount) >= maxBombs {
			n.Fail("more than %d bombs", maxBombs)
			return
		}
		n.aim(&p.bombTargets[p.bombCount])
	}
}

func (n *notes) exploded() { n.hexes("exploded", n.p.exploded) }
func (n *notes) attacked() { n.hexes("attacked", n.p.attacked) }

func (n *notes) magic() {
	if n.Line("magic", n.p.magicLeft > 0) {
		kit.Int(n.Notes, &n.p.magicLeft, 1, 6)
	}
}

func (n *notes) ixCorps() {
	p := n.p
	if !n.Line("ixcorps", p.ixTurn > 0 || p.ixMade > 0 || p.replan) {
		return
	}
	n.hex(&p.ixHex)
	hidden := p.ixTurn == unknownTurn
	if n.Flag("unknown", &hidden); hidden {
		p.ixTurn = unknownTurn
	} else {
		kit.Count(n.Notes, "turn", &p.ixTurn, 0, n.lastTurn(), 0)
	}
	kit.Count(n.Notes, "made", &p.ixMade, 0, n.lastTurn(), 0)
	if n.Flag("replan", &p.replan); n.Reading && (p.ixHex == NoHex) != (p.ixTurn == 0 || hidden) {
		n.Fail("a landing has a hex and a turn, or neither")
	}
}

func (n *notes) orders() {
	p := n.p
	if !n.Line("orders", p.mode != 0 || p.dropTurn > 0 || p.ordersGiven) {
		return
	}
	kit.Name(n.Notes, &p.mode, modeIDs)
	n.hex(&p.dropHex)
	kit.Count(n.Notes, "turn", &p.dropTurn, 0, n.lastTurn(), 0)
	if n.Flag("given", &p.ordersGiven); n.Reading && (p.dropHex == NoHex) != (p.dropTurn == 0) {
		n.Fail("a drop has a hex and a turn, or neither")
	}
}

func (n *notes) beachheads() {
	if !n.Line("beachheads", true) {
		return
	}
	for i := range n.p.beachhead {
		at := &n.p.beachhead[i]
		if n.place(at); n.Reading && *at >= boxes && *at != Holding && *at != Removed && *at != Out {
			n.Fail("a beachhead is in a hex, %s, %s or %s", boxHolding, boxRemoved, boxOut)
		}
	}
}

func (n *notes) consecutive() {
	d := &n.p.decl
	if !n.Line("consecutive", d.on) {
		return
	}
	if n.Reading {
		*d = declaration{on: true}
	}
	kit.Name(n.Notes, &d.seat, seatIDs[:])
	n.hex(&d.target)
	n.Flag("declared", &d.declared)
	kit.Count(n.Notes, "begun", &d.begun, 0, maxEntries, 0)
	kit.Count(n.Notes, "air", &d.air, 0, 127, 0)
	if !n.Option("naval", d.naval != 0) {
		return
	}
	for _, m := range markerNumbers(d.naval) {
		kit.Int(n.Notes, &m, 1, maxNaval)
	}
	for m := 1; n.Going(); d.naval |= 1 << (m - 1) {
		kit.Int(n.Notes, &m, 1, maxNaval)
	}
}

// entries are the attacks of a consecutive attack, a line each.
func (n *notes) entries() {
	d := &n.p.decl
	if !n.Reading {
		for i := uint8(0); d.on && i < d.count; i++ {
			n.Line("entry", true)
			n.hex(&d.from[i])
			n.units(&d.units[i])
		}
		return
	}
	if !n.Line("entry", true) {
		return
	}
	if !d.on || d.count >= maxEntries {
		n.Fail("an entry belongs to a consecutive attack, at most %d to one", maxEntries)
		return
	}
	n.hex(&d.from[d.count])
	n.units(&d.units[d.count])
	d.count++
}

func (n *notes) combat() {
	f := &n.p.fight
	if !n.Line("combat", f.on) {
		return
	}
	if n.Reading {
		*f = fight{on: true, shooter: NoUnit}
	}
	side := US
	if f.byJapan {
		side = Japan
	}
	kit.Name(n.Notes, &side, seatIDs[:])
	f.byJapan = side == Japan
	n.hex(&f.from)
	n.hex(&f.target)
	kit.Name(n.Notes, &f.stage, stageIDs)
	n.Flag("landing", &f.landing)
	n.Flag("mixed", &f.mixed)
	n.Flag("supported", &f.supported)
	n.Flag("air", &f.air)
	kit.Count(n.Notes, "naval", &f.naval, 0, maxNaval, 0)
	kit.Count(n.Notes, "chemical", &f.chemical, 0, 6, 0)
	kit.Count(n.Notes, "modifier", &f.chemMod, -100, 100, 0)
	n.Flag("bonushit", &f.bonusHit)
	n.Flag("retreat", &f.retreat)
	if n.Option("shooter", f.shooter != NoUnit) {
		if n.Reading {
			f.shooter = n.unitID(n.Next())
		} else {
			n.Word(n.p.id(f.shooter))
		}
	}
	kit.Count(n.Notes, "shots", &f.shots, 0, 9, 0)
}

// fighters are the units of a combat.
func (n *notes) fighters() {
	f := &n.p.fight
	for _, s := range [...]struct {
		name string
		set  *UnitSet
	}{
		{"attackers", &f.attackers}, {"defenders", &f.defenders}, {"firing", &f.toFire}, {"hurt", &f.hurt},
		{"hurttwice", &f.hurtTwice},
	} {
		if n.Line(s.name, f.on && *s.set != 0) {
			n.units(s.set)
		}
	}
}

func (n *notes) offer() {
	p := n.p
	if n.Line("offer", p.offer > 0) {
		seat := (p.offer - 1) & 1
		kit.Name(n.Notes, &seat, seatIDs[:])
		p.offer = 1 + seat
	}
}

func (n *notes) over() {
	p := n.p
	if !n.Line("over", p.level > 0) {
		return
	}
	kit.Name(n.Notes, &p.level, levelIDs)
	if n.Option("draw", int(p.winner) >= len(seatIDs)) {
		p.winner = rules.NoSeat
		return
	}
	kit.Name(n.Notes, &p.winner, seatIDs[:])
}
