package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// commandRule is how a kind of command is checked, carried out and listed. Check is the only place where its legality is decided; play is called only after
// it passed; list yields what passes it, see lister.
type commandRule struct {
	check func(*Position, rules.Seat, *Command) *rules.Refusal
	play  func(*Position, *exec, rules.Seat, *Command)
	list  func(*lister)
}

// frameRule is how a kind of procedure goes on: what it asks and whom, and its next automatic step when it asks nothing.
type frameRule struct {
	ask  func(*Position, *frame) (Ask, rules.Seats)
	step func(*Position, *exec, *frame)
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

// sequenceFrame are the procedures of set-up.
func sequenceFrame(k FrameKind) (frameRule, bool) {
	if ocsv1.FrameKind(k) == ocsv1.FrameKind_FRAME_KIND_CORRECTION {
		return frameRule{(*Position).askCorrection, (*Position).stepCorrection}, true
	}
	return frameRule{}, false
}
