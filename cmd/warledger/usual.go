package main

import (
	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// ruled is what the server knows about a game's ruleset; nil if it does not know it any more.
func (a *app) ruled(g *v1.Game) *v1.Ruleset {
	client, err := a.server()
	if err != nil {
		return nil
	}
	resp, err := client.Catalog().GetRuleset(a.ctx,
		&v1.GetRulesetRequest{Name: g.Ruleset, LanguageCode: string(a.line.Lang)})
	if err != nil {
		return nil
	}
	return resp.Ruleset
}

// offerOrders says how a seat that has just been taken gives the usual standing orders. A seat that is taken again is
// not told again. Those of Anniversary have no usual form: in which order casualties fall is each player's own choice.
func (a *app) offerOrders(g *v1.Game, seat string, again bool) {
	if again || g.Over {
		return
	}
	if usual := a.ruled(g).GetStandingOrders().GetUsual(); usual != "" {
		a.say("  fewer questions, if you like: warledger do %s %s --as %s\n", short(g.Name), usual, seat)
	}
}

// standing says which standing orders the seats of this person have given, and how each is taken back.
func (a *app) standing(g *v1.Game) {
	held, err := a.held(g.Name)
	if err != nil || len(held.Seats) == 0 || a.ruled(g).GetStandingOrders() == nil {
		return
	}
	for _, seat := range yours(false, held.Seats) {
		resp, err := a.client.Game(g.Name, seat).InLanguage(string(a.line.Lang)).Board(a.ctx,
			warledger.Look{Viewer: seat})
		if err != nil {
			continue
		}
		for _, o := range resp.GetBoard().GetStandingOrders() {
			if o.Seat == seat {
				a.say("  standing order of %s: %s\n    cancel it: warledger do %s %s --as %s\n", seat, o.Text,
					short(g.Name), o.Cancel, seat)
			}
		}
	}
}
