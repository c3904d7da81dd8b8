package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/ledger"
)

// heldAgainstChains compares a file with the chains that this person's seats have sent from here: the file itself
// cannot tell whose a chain was.
func (a *app) heldAgainstChains(v *verified) error {
	held, err := a.held("games/" + v.Game)
	if err != nil || len(held.Chains) == 0 {
		return err
	}
	file, err := os.Open(v.File)
	if err != nil {
		return err
	}
	defer file.Close()
	game, err := ledger.ReadExport(file)
	if err != nil {
		return err
	}
	for _, seat := range slices.Sorted(maps.Keys(held.Chains)) {
		own := newOwnChain(v.Game, seat, held.Chains[seat])
		for data, err := range game.Records() {
			if err != nil {
				return err
			}
			r, err := ledger.Open(data)
			if err != nil {
				return nil // the audit has told of it
			}
			if err := own.add(r); err != nil {
				return nil // as above
			}
		}
		for _, f := range own.finish() {
			v.Errors++
			a.note(v, f)
		}
		if len(own.found) == 0 && a.line.Output != "json" {
			a.say("%s: all chains for the dice of %s were sent from here, and %d of their links were revealed\n",
				v.File, seat, own.revealed)
		}
	}
	return nil
}

// ownChain follows what a log says about the chains of one's own seat.
type ownChain struct {
	game, seat string
	kept       *warledger.Chain
	// sent are the anchors that were sent from here; committed those that the log has.
	sent      []string
	committed map[string]bool
	state     ledger.DiceState
	// mine is true while the seat is held by whoever took it with a chain from here; ever once it was.
	mine, ever bool
	anchor     string
	revealed   int
	last       uint64
	found      []ledger.Finding
	// undos finds the undos to which the player did not agree from here.
	undos *warledger.Undos
}

func newOwnChain(game, seat string, kept *warledger.Chain) *ownChain {
	return &ownChain{game: game, seat: seat, kept: kept, sent: kept.Anchors("games/"+game, seat),
		committed: make(map[string]bool), undos: warledger.NewUndos("games/"+game, seat, kept)}
}

func (o *ownChain) wrong(version uint64, format string, args ...any) {
	o.found = append(o.found,
		ledger.Finding{Version: version, Severity: ledger.Error, Check: ledger.CheckDice,
			Message: fmt.Sprintf(format, args...)})
}

func (o *ownChain) add(r *ledger.Record) error {
	if r.Version() == 1 {
		created, err := r.Created()
		if err != nil {
			return err
		}
		o.state = ledger.NewDiceState(created, o.game)
	}
	if hash := fmt.Sprintf("%x", r.Hash()); r.Version() == o.kept.Version && hash != o.kept.Hash {
		o.wrong(r.Version(),
			"has the hash %s, and this machine saw %s: the log contradicts what was shown before", hash,
			o.kept.Hash)
	}
	events, err := r.TableEvents()
	if err != nil {
		return err
	}
	for _, e := range events {
		o.follow(r.Version(), e)
	}
	hash := r.Hash()
	o.undone(r.Version(), o.undos.Add(r.Header(), hash[:], events))
	o.last = r.Version()
	o.state, err = o.state.Add(r)
	return err
}

// undone notes an undo to which the player did not agree. The audit tells of a log that contradicts itself.
func (o *ownChain) undone(version uint64, err error) {
	var taken *warledger.ThrowTakenBackError
	if o.ever && errors.As(err, &taken) {
		o.wrong(version, "takes back the dice of record %d, and nobody agreed to that for %s from here: if no "+
			"other program of yours did, somebody agreed in your name", taken.Throw, o.seat)
	}
}

func (o *ownChain) follow(version uint64, e *logv1.TableEvent) {
	switch e := e.Event.(type) {
	case *logv1.TableEvent_SeatTaken:
		if e.SeatTaken.Seat == o.seat && e.SeatTaken.Chain != nil {
			o.mine = slices.Contains(o.sent, hex.EncodeToString(e.SeatTaken.Chain.Anchor))
			o.commit(version, e.SeatTaken.Chain)
		}
	case *logv1.TableEvent_SeatLeft:
		if e.SeatLeft.Seat == o.seat {
			o.mine = false
		}
	case *logv1.TableEvent_Resigned:
		o.mine = o.mine && (e.Resigned.Seat != o.seat || !e.Resigned.GoesOn)
	case *logv1.TableEvent_ChainRenewed:
		if e.ChainRenewed.Seat == o.seat {
			o.commit(version, e.ChainRenewed.Chain)
		}
	case *logv1.TableEvent_DiceAnswered:
		if e.DiceAnswered.Seat == o.seat {
			o.answered(version, e.DiceAnswered)
		}
	}
}

// commit follows a chain of the seat. While others hold the seat its chains are theirs.
func (o *ownChain) commit(version uint64, chain *logv1.HashChain) {
	if !o.mine {
		return
	}
	o.ever, o.anchor = true, hex.EncodeToString(chain.GetAnchor())
	switch {
	case !slices.Contains(o.sent, o.anchor):
		o.wrong(version, "commits %s to a chain that was not sent from here: if no other program of yours sent it, "+
			"somebody else answered in your name", o.seat)
	case o.committed[o.anchor]:
		o.wrong(version, "commits %s again to a chain that it had before, whose links are known", o.seat)
	}
	o.committed[o.anchor] = true
}

func (o *ownChain) answered(version uint64, e *logv1.DiceAnswered) {
	if !o.mine || !slices.Contains(o.sent, o.anchor) {
		return
	}
	o.revealed++
	chain, _ := o.state.Chain(o.seat)
	own := o.kept.Anchors("games/"+o.game, o.seat)[len(o.kept.Sent)]
	switch {
	case o.anchor == own && chain.Next >= o.kept.Next:
		o.wrong(version, "reveals link %d of %s, which this machine has not revealed", chain.Next, o.seat)
	case o.anchor == own && chain.Next == o.kept.Revealed && o.kept.Revealed != 0 && e.Asked != o.kept.Version:
		o.wrong(version, "reveals link %d of %s for record %d, and this machine revealed it for record %d",
			chain.Next, o.seat, e.Asked, o.kept.Version)
	}
	if e.Chain != nil {
		o.commit(version, e.Chain)
	}
}

// finish returns what was found.
func (o *ownChain) finish() []ledger.Finding {
	if o.last < o.kept.Version {
		o.wrong(o.last, "is the last, and this machine answered record %d: the file was cut off, or is another log",
			o.kept.Version)
	}
	if !o.ever {
		o.wrong(0, "has no chain of %s that was sent from here", o.seat)
	}
	return o.found
}
