package downfall

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
)

func (ps *parser) turn() {
	p := ps.p
	p.turn, p.phase = uint8(ps.int(0, min(p.sc.Chart.LastTurn(), 127))), Phase(ps.name(phaseIDs[:]))
	p.step, p.ended = uint8(ps.count("step", 127, 0)), ps.has("ended")
	p.cp = int8(ps.count("cp", 127, 0))
	if ps.has("vp") {
		p.vp = int16(ps.int(-1000, 1000))
	}
	p.consecutiveUsed, p.followMixed = ps.has("consecutive"), ps.has("followmixed")
}

func (ps *parser) awards() {
	p := ps.p
	for len(ps.words) > 0 && ps.err == nil {
		id, how, _ := strings.Cut(ps.next(), ":")
		for i := range p.sc.Chart.Awards {
			if p.sc.Chart.Awards[i].ID != id {
				continue
			}
			if how != "barred" {
				p.earned |= 1 << i
			}
			if how != "" {
				p.lost |= 1 << i
			}
		}
	}
}

func (ps *parser) kamikaze() {
	p := ps.p
	p.kamikaze = true
	p.usCP = uint8(ps.count("cp", 127, 0))
	p.airCap, p.navalCap = uint8(ps.count("air", 127, NoCap)), uint8(ps.count("naval", 127, NoCap))
	p.jpMF, p.jpCP, p.ban = uint8(ps.count("mf", 127, 0)), uint8(ps.count("jp", 127, 0)), ps.has("ban")
}

func (ps *parser) air() { ps.p.air = uint8(ps.int(1, 127)) }

// naval reads the markers: number, zone, and whether it was used or is gone.
func (ps *parser) naval() {
	p := ps.p
	for len(ps.words) > 0 && ps.err == nil {
		word := ps.next()
		parts := strings.Split(word, ":")
		m, err := strconv.ParseUint(parts[0], 10, 8)
		if err != nil || m < 1 || m > maxNaval || len(parts) < 2 {
			ps.fail("expected a naval marker and its zone, not %.40q", word)
			return
		}
		m--
		p.navalZone[m] = NoZone
		for z := range p.sc.Zones {
			if p.sc.Zones[z].ID == parts[1] {
				p.navalZone[m] = Zone(z)
			}
		}
		how := strings.Join(parts[2:], ":")
		if how != "gone" {
			p.navalHere |= 1 << m
		}
		if how == "" && p.navalZone[m] != NoZone {
			p.navalReady |= 1 << m
		}
	}
}

func (ps *parser) airSupply() {
	p := ps.p
	p.airSupply = ps.place()
	if p.airSupply >= boxes && p.airSupply != Out {
		ps.fail("the air supply unit is in a hex, or %s", boxOut)
	}
	p.airPlaced = ps.has("placed")
}

func (ps *parser) bombs() {
	p := ps.p
	p.bombsLeft, p.bombsUsed, p.bombDie = uint8(ps.int(0, 127)), uint8(ps.count("used", 127, 0)), uint8(ps.count("die", 6, 0))
	p.bombsDeclared = int8(ps.count("declared", maxBombs, -1))
	for i := bombRolled; i < len(bombStageIDs); i++ {
		if ps.has(bombStageIDs[i]) {
			p.bombStage, p.bombAt, p.bombSteps = uint8(i), ps.bombTarget(), uint8(ps.int(1, 5))
		}
	}
}

func (ps *parser) targets() {
	p := ps.p
	p.bombCount = 0
	for len(ps.words) > 0 && ps.err == nil {
		if int(p.bombCount) >= maxBombs {
			ps.fail("more than %d bombs", maxBombs)
			return
		}
		p.bombTargets[p.bombCount] = ps.bombTarget()
		p.bombCount++
	}
}

func (ps *parser) magic() { ps.p.magicLeft = uint8(ps.int(1, 6)) }

func (ps *parser) plan() {
	p, last := ps.p, min(ps.sc.Chart.LastTurn(), 127)
	p.ixHex, p.ixTurn, p.ixMade = ps.hex(), uint8(ps.count("turn", last, 0)), uint8(ps.count("made", last, 0))
	p.replan = ps.has("replan")
	if (p.ixHex == NoHex) != (p.ixTurn == 0) {
		ps.fail("a landing has a hex and a turn, or neither")
	}
}

func (ps *parser) orders() {
	p := ps.p
	p.mode, p.dropHex, p.dropTurn = uint8(ps.name(modeIDs[:])), ps.hex(), uint8(ps.count("turn", min(ps.sc.Chart.LastTurn(), 127), 0))
	p.ordersGiven = ps.has("given")
	if (p.dropHex == NoHex) != (p.dropTurn == 0) {
		ps.fail("a drop has a hex and a turn, or neither")
	}
}

func (ps *parser) beachheads() {
	for i := range ps.p.beachhead {
		at := ps.place()
		if at >= boxes && at != Holding && at != Removed && at != Out {
			ps.fail("a beachhead is in a hex, %s, %s or %s", boxHolding, boxRemoved, boxOut)
		}
		ps.p.beachhead[i] = at
	}
}

func (ps *parser) consecutive() {
	d := &ps.p.decl
	*d = declaration{on: true, seat: uint8(ps.seat()), target: ps.hex(), declared: ps.has("declared")}
	d.begun, d.air = uint8(ps.count("begun", maxEntries, 0)), uint8(ps.count("air", 127, 0))
	if ps.has("naval") {
		for len(ps.words) > 0 && ps.err == nil {
			d.naval |= 1 << (ps.int(1, maxNaval) - 1)
		}
	}
}

func (ps *parser) entry() {
	d := &ps.p.decl
	if !d.on || d.count >= maxEntries {
		ps.fail("an entry belongs to a consecutive attack, at most %d to one", maxEntries)
		return
	}
	d.from[d.count], d.units[d.count] = ps.hex(), ps.units()
	d.count++
}

func (ps *parser) combat() {
	f := &ps.p.fight
	*f = fight{on: true, byJapan: ps.seat() == Japan, from: ps.hex(), target: ps.hex(), stage: Stage(ps.name(stageIDs[:])), shooter: NoUnit}
	f.landing, f.mixed, f.supported, f.air = ps.has("landing"), ps.has("mixed"), ps.has("supported"), ps.has("air")
	f.naval, f.chemical = uint8(ps.count("naval", maxNaval, 0)), uint8(ps.count("chemical", 6, 0))
	if ps.has("modifier") {
		f.chemMod = int8(ps.int(-100, 100))
	}
	f.bonusHit, f.retreat = ps.has("bonushit"), ps.has("retreat")
	if ps.has("shooter") {
		f.shooter = ps.unitID(ps.next())
	}
	f.shots = uint8(ps.count("shots", 9, 0))
}

func (ps *parser) over() {
	p := ps.p
	p.level, p.winner = uint8(ps.name(levelIDs[:])), rules.NoSeat
	if !ps.has("draw") {
		p.winner = ps.seat()
	}
}
