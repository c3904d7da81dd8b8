package rules

import "slices"

// Delegate is what a Hider can do beside: say which of its assumptions is about standing orders. A preview leaves that
// one out where no other seat is asked anything, because orders answer for their seat and do nothing else.
type Delegate interface {
	// AssumedOrders is the key of the text that says what standing orders the other seats are taken to have.
	AssumedOrders() string
}

// asksOthers reports whether the game waits for another seat.
func asksOthers(list []Decision, seat Seat) bool {
	return slices.ContainsFunc(list, func(d Decision) bool { return !d.Optional && d.Seat != seat })
}

// withoutOrders are assumptions but for the one about standing orders.
func withoutOrders(assumed []Text, d Delegate) []Text {
	return slices.DeleteFunc(assumed, func(t Text) bool { return t.Key == d.AssumedOrders() })
}
