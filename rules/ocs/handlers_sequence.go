package ocs

import (
	"github.com/warledger/warledger/rules"
)

// commandRule is how a kind of command is checked, carried out and listed. Check is the only place where its legality is decided; play is called only after
// it passed; list yields what passes it, see lister.
type commandRule struct {
	check func(*Position, rules.Seat, *Command) *rules.Refusal
	play  func(*Position, *exec, rules.Seat, *Command)
	list  func(*lister)
}

// free is the check of a kind that whoever is asked may always give.
func free(*Position, rules.Seat, *Command) *rules.Refusal { return nil }

// sequenceCommand are the commands of the sequence of play.
func sequenceCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindEnd:
		return commandRule{(*Position).checkEnd, (*Position).playEnd, listEnd}, true
	case KindOrder:
		return commandRule{free, (*Position).playOrder, listYesNo(KindOrder)}, true
	case KindAgree:
		return commandRule{free, (*Position).playAgree, listYesNo(KindAgree)}, true
	case KindConcede:
		return commandRule{free, (*Position).playConcede, listConcede}, true
	case KindTop:
		return commandRule{(*Position).checkTop, (*Position).playTop, listTop}, true
	case KindPlace:
		return commandRule{(*Position).checkPlace, (*Position).playPlace, listPlace}, true
	case KindStow:
		return commandRule{(*Position).checkStow, (*Position).playStow, listStow}, true
	}
	return commandRule{}, false
}
