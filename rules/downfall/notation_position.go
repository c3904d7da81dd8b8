package downfall

import (
	"strconv"

	"github.com/warledger/warledger/rules/hex"
)

// The notation of a position is one fact a line, each beginning with what it is about, always in this order. Hexes are their numbers, units
// and markers their ids. What holds nothing is left out.
//
//	df1 olympic magic_36th_army          version, scenario, options that are on
//	turn 3 us-actions cp 4 vp 1 ...      the clock and the player turn
//	awards towns-2 miyakonojo:lost       awards earned, and lost again
//	kamikaze cp 4 air 3 naval 3 mf 3 jp 1
//	air 2                                air markers ready
//	naval 1:limousine 2:roadstar:used    naval markers with their zones
//	airsupply 2621 placed
//	bombs 7 used 2 ...                   atomic bombs left, used, and those of this turn
//	exploded 2514                        hexes in which bombs exploded
//	attacked 2721 2819                   hexes attacked in this player turn
//	magic 1                              36th Army units that may still be moved
//	ixcorps 2417 turn 5 made 0           secret plan of the IX Corps landing
//	orders airborne 2514 turn 22         secret orders to the 11th Division
//	beachheads 2621 2804 holding 2013    by corps, I to XI
//	consecutive us 2819 ...              the declaration of a consecutive attack, and its entries
//	entry 2719 us-i-25 us-i-33
//	combat us 2719 2819 us-fire ...      the combat that is going on, and its units
//	attackers us-i-25
//	offer us                             who offers to give up
//	over final us                        how it ended
//	2621 us-i-25 us-i-33:1+acted+oos     the units of a hex or box; 1 step, acted, out of supply
//
// A unit's steps are left out if it is at full strength, or eliminated; its supply if it is the ordinary one of its place.

// version is the first word of the notation.
const version = "df1"

// writer writes words; a line begins with its first word.
type writer struct {
	p *Position
	b []byte
}

func (w *writer) line(word string) *writer {
	if len(w.b) > 0 {
		w.b = append(w.b, '\n')
	}
	w.b = append(w.b, word...)
	return w
}

func (w *writer) word(words ...string) *writer {
	for _, s := range words {
		w.b = append(w.b, ' ')
		w.b = append(w.b, s...)
	}
	return w
}

func (w *writer) number(n int) *writer {
	w.b = append(w.b, ' ')
	w.b = strconv.AppendInt(w.b, int64(n), 10)
	return w
}

// flag writes a word if it holds.
func (w *writer) flag(holds bool, word string) *writer {
	if holds {
		w.word(word)
	}
	return w
}

// count writes a named number unless it is what it is without saying.
func (w *writer) count(name string, n, unsaid int) *writer {
	if n != unsaid {
		w.word(name).number(n)
	}
	return w
}

func (w *writer) hex(h Hex) *writer      { return w.word(w.p.digits(h)) }
func (w *writer) place(at Place) *writer { return w.word(w.p.where(at)) }

func (w *writer) units(s UnitSet) *writer {
	for u := range s.Each {
		w.word(w.p.id(u))
	}
	return w
}

func (w *writer) naval(set uint64) *writer {
	for m := range 64 {
		if set&(1<<m) != 0 {
			w.number(m + 1)
		}
	}
	return w
}

// format writes the whole position, secrets included, in the canonical notation.
func (p *Position) format() string {
	w := &writer{p: p, b: make([]byte, 0, 2048)}
	w.head()
	w.kamikaze()
	w.markers()
	w.bombs()
	w.plans()
	w.procedures()
	w.ending()
	w.places()
	return string(append(w.b, '\n'))
}

func (w *writer) head() {
	p := w.p
	w.line(version).word(p.sc.ScenarioID())
	for i := range optionList {
		w.flag(p.opt&(1<<i) != 0, optionList[i].ID)
	}
	w.line("turn").number(int(p.turn)).word(phaseIDs[p.phase])
	w.count("step", int(p.step), 0).flag(p.ended, "ended").count("cp", int(p.cp), 0).count("vp", int(p.vp), 0)
	w.flag(p.consecutiveUsed, "consecutive").flag(p.followMixed, "followmixed")
	if p.earned|p.lost != 0 {
		w.line("awards")
		for i := range p.sc.Chart.Awards {
			switch id := p.sc.Chart.Awards[i].ID; p.lost>>i&1<<1 | p.earned>>i&1 {
			case 1:
				w.word(id)
			case 2:
				w.word(id + ":barred")
			case 3:
				w.word(id + ":lost")
			}
		}
	}
}

func (w *writer) kamikaze() {
	p := w.p
	if p.kamikaze {
		w.line("kamikaze").word("cp").number(int(p.usCP)).count("air", int(p.airCap), NoCap).count("naval", int(p.navalCap), NoCap)
		w.word("mf").number(int(p.jpMF)).count("jp", int(p.jpCP), 0).flag(p.ban, "ban")
	}
}

func (w *writer) markers() {
	p := w.p
	if p.air > 0 {
		w.line("air").number(int(p.air))
	}
	first := true
	for m := range maxNaval {
		here, ready := p.navalHere&(1<<m) != 0, p.navalReady&(1<<m) != 0
		if !here && p.navalZone[m] == NoZone {
			continue
		}
		if first {
			w.line("naval")
			first = false
		}
		text := strconv.Itoa(m+1) + ":" + zoneID(p.sc, p.navalZone[m])
		switch {
		case !here:
			text += ":gone"
		case !ready && p.navalZone[m] != NoZone:
			text += ":used"
		}
		w.word(text)
	}
	if p.airSupply != Out || p.airPlaced {
		w.line("airsupply").place(p.airSupply).flag(p.airPlaced, "placed")
	}
}

func zoneID(sc *Scenario, z Zone) string {
	if int(z) < len(sc.Zones) {
		return sc.Zones[z].ID
	}
	return "-"
}

func (w *writer) bombs() {
	p := w.p
	w.line("bombs").number(int(p.bombsLeft)).count("used", int(p.bombsUsed), 0).count("die", int(p.bombDie), 0).count("declared", int(p.bombsDeclared), -1)
	if p.bombStage != bombNone {
		w.word(bombStageIDs[p.bombStage]).place(p.bombAt).number(int(p.bombSteps))
	}
	if p.bombCount > 0 {
		w.line("targets")
		for _, at := range p.bombTargets[:p.bombCount] {
			w.place(at)
		}
	}
	w.set("exploded", p.exploded)
	w.set("attacked", p.attacked)
	if p.magicLeft > 0 {
		w.line("magic").number(int(p.magicLeft))
	}
}

// set writes a set of hexes, if there are any.
func (w *writer) set(name string, s hex.Set) {
	if s.Empty() {
		return
	}
	w.line(name)
	for h := range s.All() {
		w.hex(h)
	}
}

func (w *writer) plans() {
	p := w.p
	if p.ixTurn > 0 || p.ixMade > 0 || p.replan {
		w.line("ixcorps").hex(p.ixHex).count("turn", int(p.ixTurn), 0).count("made", int(p.ixMade), 0).flag(p.replan, "replan")
	}
	if p.mode != 0 || p.dropTurn > 0 || p.ordersGiven {
		w.line("orders").word(modeIDs[p.mode]).hex(p.dropHex).count("turn", int(p.dropTurn), 0).flag(p.ordersGiven, "given")
	}
	w.line("beachheads")
	for _, at := range p.beachhead {
		w.place(at)
	}
}

func (w *writer) ending() {
	p := w.p
	if p.offer > 0 {
		w.line("offer").word(seatIDs[(p.offer-1)&1])
	}
	if p.level > 0 {
		winner := "draw"
		if int(p.winner) < len(seatIDs) {
			winner = seatIDs[p.winner]
		}
		w.line("over").word(levelIDs[p.level], winner)
	}
}
