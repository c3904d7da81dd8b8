package main

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/anypb"

	warledger "github.com/warledger/warledger/clients/go"
)

// order is a command as somebody gave it, in one of its two forms.
type order struct {
	notation string
	command  *anypb.Any
	expected uint64 // version that it was given for; 0 for any
}

// order reads a command: its words, its number in the list of legal ones, or a message. A number holds for the list
// that it was read in, unless another version is expected.
func (a *app) order(game *warledger.Game, words []string, message string, expect uint64) (order, error) {
	o := order{notation: strings.Join(words, " "), expected: expect}
	switch {
	case (o.notation == "") == (message == ""):
		return o, usageError{"give a command, its number in the list, or a message with --json"}
	case message != "":
		o.command = new(anypb.Any)
		if err := protojson.Unmarshal([]byte(message), o.command); err != nil {
			return o, usageError{fmt.Sprintf("--json: %v", clean(err))}
		}
		return o, nil
	}
	if n := len(words); n > 3 && words[n-2] == "to" {
		action, err := a.wayTo(game, words[:n-2], words[n-1])
		if err == nil && expect == 0 {
			o.expected = action.Version
		}
		o.notation = action.GetCommand()
		return o, err
	}
	number, err := strconv.Atoi(o.notation)
	if err != nil {
		return o, nil
	}
	action, version, err := a.numbered(game, number)
	if expect == 0 {
		o.expected = version
	}
	o.notation = action.GetCommand()
	return o, err
}

// wayTo finds the way to a place among the legal commands that begin with some words: "move r1 to 0304" is the listed
// move of r1 that ends in 0304. The place may be given by its name.
func (a *app) wayTo(game *warledger.Game, words []string, goal string) (found warledger.LegalAction, err error) {
	begin, n := strings.Join(words, " ")+" ", 0
	at, err := a.spaceID(game, goal)
	if err != nil {
		return found, err
	}
	for action, err := range game.Legal(a.ctx, warledger.LegalQuery{Kind: words[0], Space: at}) {
		if err != nil {
			return found, err
		}
		ends := len(action.Spaces) > 0 && action.Spaces[len(action.Spaces)-1] == at
		if ends && strings.HasPrefix(action.Command, begin) {
			found, n = action, n+1
		}
	}
	switch n {
	case 0:
		return found,
			usageError{fmt.Sprintf("%sfinds no way to %s: legal --kind %s lists what may be done",
				begin, goal, words[0])}
	case 1:
		return found, nil
	}
	return found, usageError{fmt.Sprintf("%sleads to %s in %d ways: legal --kind %s --space %s lists them",
		begin, goal, n, words[0], at)}
}

// clean takes out the odd spaces by which protobuf keeps people from relying on its errors.
func clean(err error) string { return strings.ReplaceAll(err.Error(), "\u00a0", " ") }
