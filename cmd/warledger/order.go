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

// order reads a command: its words, its number in the list of legal ones, or a message. A number holds for the list that it was read in, unless
// another version is expected.
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
	n, err := strconv.Atoi(o.notation)
	if err != nil {
		return o, nil
	}
	action, version, err := a.numbered(game, n)
	if expect == 0 {
		o.expected = version
	}
	o.notation = action.GetCommand()
	return o, err
}

// clean takes out the odd spaces by which protobuf keeps people from relying on its errors.
func clean(err error) string { return strings.ReplaceAll(err.Error(), "\u00a0", " ") }
