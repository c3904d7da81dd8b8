package ledger

import (
	"fmt"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/dice"
)

// diceAudit computes the rolls again, and follows what seats owed and revealed.
type diceAudit struct {
	a      *auditor
	kind   logv1.DiceKind
	secret *dice.Secret
	// entropies serve the first format, state the second. first is the source of the first format, nil when it must be
	// made again.
	format    uint32
	entropies Entropies
	state     DiceState
	first     *dice.Committed
	source    dice.Source
	broken    bool
	// lost is true once the log broke the rules of mutual dice, so that the links owed are unknown.
	lost bool

	without, hidden uint64 // rolls not checked: the secret is missing, or they are hidden
	copied          uint64 // rolls of a fork that follow from the secret of its origin
	alone           uint64 // rolls of mutual dice in which only the seat that threw them has a part
	chains          chainAudit
	throws          throwsAudit
}

func (a *auditor) newDiceAudit() *diceAudit {
	created := a.chain.Created()
	d := &diceAudit{a: a, kind: created.Dice, format: created.DiceFormat, state: NewDiceState(created, a.chain.Game())}
	mutual := created.Dice == logv1.DiceKind_DICE_KIND_MUTUAL
	switch created.Dice {
	case logv1.DiceKind_DICE_KIND_MANUAL:
	case logv1.DiceKind_DICE_KIND_COMMITTED, logv1.DiceKind_DICE_KIND_MUTUAL:
		d.secret, d.broken = a.diceSecret(created.DiceCommitment)
		if d.format != 0 && d.format != dice.CountedFormat || mutual && d.format != dice.CountedFormat {
			a.find(1, Error, CheckCommitment, "says that the dice are of the unknown format %d", d.format)
			d.broken = true
		}
	default:
		a.find(1, Error, CheckCommitment, "says that the dice are of the unknown kind %d", created.Dice)
		d.broken = true
	}
	if what := inspectTerms(created); what != "" {
		a.find(1, Error, CheckDice, "%s", what)
	}
	return d
}

// inspectTerms checks the settings of mutual dice.
func inspectTerms(created *logv1.GameCreated) (fault string) {
	terms := created.MutualDice
	switch silence, mutual := terms.GetOnSilence(), created.Dice == logv1.DiceKind_DICE_KIND_MUTUAL; {
	case terms == nil:
		return ""
	case !mutual:
		return "has settings of mutual dice, but dice of another kind"
	case silence < 0 || silence > logv1.Silence_SILENCE_GO_ON:
		return fmt.Sprintf("has the unknown setting %d for a seat that does not answer", silence)
	case (silence == logv1.Silence_SILENCE_GO_ON) != (terms.AnswerTime != nil) ||
		terms.AnswerTime != nil && !terms.AnswerTime.IsValid():
		return "has a time for answers although the game waits, or none although it goes on"
	}
	return ""
}

// diceSecret is the secret if it is known, checked against the commitment.
func (a *auditor) diceSecret(commitment []byte) (secret *dice.Secret, broken bool) {
	if len(commitment) != len(Hash{}) {
		a.find(1, Error, CheckCommitment, "commits to the dice with %d bytes, expected %d",
			len(commitment), len(Hash{}))
		return nil, true
	}
	secret = a.o.DiceSecret
	if released := a.chain.Released(); released != nil {
		if len(released.DiceSecret) != len(dice.Secret{}) {
			a.find(0, Error, CheckCommitment, "the dice secret that was released has %d bytes, expected %d",
				len(released.DiceSecret), len(dice.Secret{}))
			return nil, true
		}
		secret = (*dice.Secret)(released.DiceSecret)
	}
	if secret != nil && dice.VerifyCommitment(*secret, Hash(commitment)) != nil {
		a.find(0, Error, CheckCommitment, "the dice secret does not match the commitment")
		return nil, true
	}
	return secret, false
}

func (d *diceAudit) add(r *Record) {
	before := d.state
	if !d.lost {
		var err error
		if d.state, err = before.Add(r); err != nil {
			d.a.find(r.Version(), Error, CheckDice, "%v", err)
			d.lost = true
		}
	}
	d.chains.add(d.a, r)
	d.throws.add(r, before.asked, d.a.chain.Tree())
	if wrong := d.check(r, before); wrong != nil {
		d.a.found(Finding{
			Version: r.Version(), Severity: Error, Check: CheckDice, Message: wrong.what, Detail: wrong.detail,
		})
	}
	if d.format == 0 && r.Header().Kind == logv1.RecordKind_RECORD_KIND_TABLE {
		_ = d.entropies.Add(r) // the chain has read these events before
		d.first = nil
	}
}

func (d *diceAudit) check(r *Record, before DiceState) *difference {
	if d.kind == logv1.DiceKind_DICE_KIND_MANUAL || d.broken || d.lost {
		return nil
	}
	begun, index := false, -1
	for l := range r.Rolls() {
		index++
		if r.Version() <= d.a.chain.Created().GetForkedFrom().GetRecords() {
			d.copied++
			continue
		}
		if d.kind == logv1.DiceKind_DICE_KIND_MUTUAL && !before.asked.answeredBeside(r.Header().Seat) {
			d.alone++
		}
		if d.secret == nil {
			d.without++
			continue
		}
		if !begun {
			if err := d.begin(r, before); err != nil {
				return differ("", "has dice that cannot be computed: %v", err)
			}
			begun = true
		}
		if l.Redacted {
			d.hidden++
			_, _ = d.source.Roll(dice.MinSides, "") // passes to the next index, whatever the sides
			continue
		}
		if wrong := d.compare(l, index); wrong != nil {
			return wrong
		}
		d.a.sum.Rolls++
	}
	return nil
}

// begin moves to the dice of a record; before is the state before it.
func (d *diceAudit) begin(r *Record, before DiceState) (err error) {
	if d.format != 0 {
		d.source, err = before.Source(*d.secret)
		return err
	}
	if d.first == nil {
		d.first, err = dice.NewCommitted(*d.secret, d.entropies.List(), d.a.chain.Game(), r.Version())
		if err != nil {
			return err
		}
	}
	d.first.Begin(r.Version())
	d.source = d.first
	return nil
}

func (d *diceAudit) compare(l *Leaf, index int) *difference {
	roll, err := readRoll(l)
	if err != nil {
		return differ(err.Error(), "has a roll %d that no die can show", index)
	}
	want, err := d.source.Roll(roll.Sides, roll.Reason)
	if err != nil {
		return differ(err.Error(), "has a roll %d that no die can show", index)
	}
	if roll.Value != want {
		return differ(fmt.Sprintf("a d%d for %q shows %d, the secret gives %d",
			roll.Sides, roll.Reason, roll.Value, want),
			"has a roll %d that does not follow from the secret", index)
	}
	return nil
}

func (d *diceAudit) unchecked() (what []string) {
	switch {
	case d.kind == logv1.DiceKind_DICE_KIND_MANUAL:
		what = append(what, "dice: the players threw them")
	case d.broken:
		what = append(what, "dice: there is no secret that matches the commitment")
	case d.without > 0:
		what = append(what, fmt.Sprintf("%d dice: the secret is not released yet", d.without))
	}
	if d.copied > 0 {
		from := d.a.chain.Created().GetForkedFrom()
		what = append(what, fmt.Sprintf("%d dice: copied from version %d of game %s, whose own file proves them",
			d.copied, from.GetVersion(), from.GetGame()))
	}
	if d.lost {
		what = append(what, "dice: after that fault the links that seats owed are not known")
	}
	if d.alone > 0 {
		what = append(what, fmt.Sprintf("%d dice: no seat but the one that threw them had a part in them, so they "+
			"prove no more than committed dice", d.alone))
	}
	what = append(what, d.chains.unchecked()...)
	what = append(what, d.throws.unchecked()...)
	if d.hidden > 0 {
		what = append(what, fmt.Sprintf("%d dice: hidden from the viewer that this log is for", d.hidden))
	}
	return what
}

// readRoll reads a roll that the chain has found sound.
func readRoll(l *Leaf) (dice.Roll, error) {
	m := new(logv1.Roll)
	if err := l.Decode(m); err != nil {
		return dice.Roll{}, err
	}
	if m.Sides > dice.MaxSides || m.Value > m.Sides {
		return dice.Roll{}, fmt.Errorf("has a d%d that shows %d", m.Sides, m.Value)
	}
	return dice.Roll{Index: m.Index, Sides: uint8(m.Sides), Value: uint8(m.Value), Reason: m.Reason}, nil
}
