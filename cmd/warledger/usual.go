package main

import v1 "github.com/warledger/warledger/proto/warledger/v1"

// usualOrders are the commands that give the usual standing orders, by ruleset. Those of Anniversary have no usual
// form: in which order casualties fall is each player's own choice.
var usualOrders = map[string]string{"downfall": "standing all usual", "ocs": "orders order=usual value=1"}

// offerOrders says how a seat that has just been taken gives the usual standing orders. A seat that is taken again is
// not told again.
func (a *app) offerOrders(g *v1.Game, seat string, again bool) {
	if usual := usualOrders[short(g.Ruleset)]; usual != "" && !again && !g.Over {
		a.say("  fewer questions, if you like: warledger do %s %s --as %s\n", short(g.Name), usual, seat)
	}
}
