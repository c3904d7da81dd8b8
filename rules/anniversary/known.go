package anniversary

import "github.com/warledger/warledger/rules"

// Known takes the standing orders away that the viewer may not read, but for the consents: they are the only secret of the game.
func (Referee) Known(p *Position, v rules.Viewer) (*Position, []rules.Text) {
	k, hidden := p.Clone(), false
	for w := Germany; w < NumSeats; w++ {
		if !p.mayRead(v, w) {
			k.orders[w], hidden = standing{carriers: p.orders[w].carriers, transports: p.orders[w].transports}, true
		}
	}
	if !hidden {
		return k, nil
	}
	return k, []rules.Text{rules.Say("assume.orders")}
}
