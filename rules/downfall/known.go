package downfall

import "github.com/warledger/warledger/rules"

// unknownTurn is in the place of a planned turn that the viewer does not know: one that never comes.
const unknownTurn = 255

// assumedOrders is what a seat that is not the viewer's is taken to have ordered: nothing.
const assumedOrders = "assume.standing"

// Known puts the same in the place of every plan, order and number of bombs that the viewer does not know (Part 3):
// that a landing is planned is open, where and when are not (DF 8.6-a), nor the orders to the 11th Division (DF 15.6-a)
// and the bombs that were rolled in secret (DF 15.7). Standing orders are known to their seat alone.
func (p *Position) Known(v rules.Viewer) (*Position, []rules.Text) {
	k := p.Clone()
	var assumed []rules.Text
	for seat := range k.orders {
		if !v.Holds(rules.Seat(seat)) {
			k.orders[seat], assumed = nil, []rules.Text{rules.Say(assumedOrders)}
		}
	}
	if p.secrets(v) {
		return k, assumed
	}
	if k.ixTurn > 0 {
		k.ixHex, k.ixTurn = NoHex, unknownTurn
		assumed = append(assumed, rules.Say("assume.landing"))
	}
	if p.on(Airborne11) {
		k.mode, k.dropHex, k.dropTurn = 0, NoHex, 0
		assumed = append(assumed, rules.Say("assume.airborne"))
	}
	if !p.countsBombs(v) && !p.on(NoAtomicBombs) {
		k.bombsLeft, k.bombDie = maxBombs, 0
		assumed = append(assumed, rules.Say("assume.bombs"))
	}
	return k, assumed
}
