// Package orders writes standing orders as commands: what a seat says in advance so that it is not asked.
//
//	order := orders.OCS{Order: orders.OCSDefenceSupply, Value: orders.OCSPay, Keep: 4, At: "11.07", Once: true}
//	notation, err := order.Notation()
//	...
//	_, err = game.Submit(ctx, warledger.Move{Notation: notation})
//
// A value has the fields that limit an order: to a hex, to units, to one combat. Each ruleset has a type of its own,
// since its orders differ. What an order does, and how it may be limited, is in the ruleset's page. The server knows
// whether an order can be given; this package refuses only what could not be written.
package orders

import (
	"fmt"
	"strings"
)

// written joins the words of a command. None may be empty or contain white space.
func written(words []string) (string, error) {
	for _, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\r\n") {
			return "", fmt.Errorf("%q is no word of a command", w)
		}
	}
	return strings.Join(words, " "), nil
}

// ids checks the ids of units or types, which stand in a list.
func ids(list []string) error {
	for _, id := range list {
		if id == "" || strings.ContainsAny(id, " \t\r\n,=") {
			return fmt.Errorf("%q is no id", id)
		}
	}
	return nil
}
