package ledger

import (
	"fmt"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/dice"
)

// newSaltAudit checks the commitment to the salt secret; nil if the secret is not known or not the one committed to.
func (a *auditor) newSaltAudit() *Salter {
	commitment := a.chain.Created().SaltCommitment
	if len(commitment) != len(Hash{}) {
		a.find(1, Error, CheckCommitment, "commits to the salts with %d bytes, expected %d", len(commitment), len(Hash{}))
		return nil
	}
	secret := a.o.SaltSecret
	if released := a.chain.Released(); released != nil {
		if len(released.SaltSecret) != len(SaltSecret{}) {
			a.find(0, Error, CheckCommitment, "the salt secret that was released has %d bytes, expected %d", len(released.SaltSecret), len(SaltSecret{}))
			return nil
		}
		secret = (*SaltSecret)(released.SaltSecret)
	}
	if secret == nil {
		return nil
	}
	if secret.Commitment() != Hash(commitment) {
		a.find(0, Error, CheckCommitment, "%v", ErrSaltCommitment)
		return nil
	}
	return NewSalter(*secret, a.chain.Game())
}

// checkSalts checks that the salts of a record follow from the secret.
func (a *auditor) checkSalts(r *Record) {
	if a.salts == nil {
		return
	}
	for i := range r.Leaves() {
		l := &r.Leaves()[i]
		if salt := a.salts.Salt(r.Version(), i); !l.Redacted && string(l.Salt) != string(salt[:]) {
			a.find(r.Version(), Error, CheckCommitment, "has a salt, of leaf %d, that does not follow from the secret", i)
			return
		}
	}
}

// diceAudit computes the rolls again.
type diceAudit struct {
	a         *auditor
	kind      logv1.DiceKind
	secret    *dice.Secret
	entropies Entropies
	source    *dice.Committed // nil when it must be made anew
	broken    bool

	without, hidden uint64 // rolls not checked, for want of the secret and because they are hidden
	copied          uint64 // rolls of a fork that follow from the secret of its origin
}

func (a *auditor) newDiceAudit() *diceAudit {
	created := a.chain.Created()
	d := &diceAudit{a: a, kind: created.Dice}
	switch created.Dice {
	case logv1.DiceKind_DICE_KIND_MANUAL:
	case logv1.DiceKind_DICE_KIND_COMMITTED:
		d.secret, d.broken = a.diceSecret(created.DiceCommitment)
	default:
		a.find(1, Error, CheckCommitment, "says that the dice are of kind %d, which is not known", created.Dice)
		d.broken = true
	}
	return d
}

// diceSecret is the secret as far as it is known, checked against the commitment.
func (a *auditor) diceSecret(commitment []byte) (secret *dice.Secret, broken bool) {
	if len(commitment) != len(Hash{}) {
		a.find(1, Error, CheckCommitment, "commits to the dice with %d bytes, expected %d", len(commitment), len(Hash{}))
		return nil, true
	}
	secret = a.o.DiceSecret
	if released := a.chain.Released(); released != nil {
		if len(released.DiceSecret) != len(dice.Secret{}) {
			a.find(0, Error, CheckCommitment, "the dice secret that was released has %d bytes, expected %d", len(released.DiceSecret), len(dice.Secret{}))
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
	if wrong := d.check(r); wrong != nil {
		d.a.found(Finding{Version: r.Version(), Severity: Error, Check: CheckDice, Message: wrong.what, Detail: wrong.detail})
	}
	before := len(d.entropies.bySeat)
	_ = d.entropies.Add(r) // the chain has read these events before
	if r.Header().Kind == logv1.RecordKind_RECORD_KIND_TABLE || before != len(d.entropies.bySeat) {
		d.source = nil
	}
}

func (d *diceAudit) check(r *Record) *difference {
	if d.kind != logv1.DiceKind_DICE_KIND_COMMITTED || d.broken {
		return nil
	}
	begun, index := false, -1
	for l := range r.Rolls() {
		index++
		if r.Version() <= d.a.chain.Created().GetForkedFrom().GetRecords() {
			d.copied++
			continue
		}
		if d.secret == nil {
			d.without++
			continue
		}
		if !begun {
			if err := d.begin(r); err != nil {
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

func (d *diceAudit) begin(r *Record) (err error) {
	if d.source == nil {
		d.source, err = dice.NewCommitted(*d.secret, d.entropies.List(), d.a.chain.Game(), r.Version())
		return err
	}
	d.source.Begin(r.Version())
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
		return differ(fmt.Sprintf("a d%d for %q shows %d, the secret gives %d", roll.Sides, roll.Reason, roll.Value, want),
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
		what = append(what, fmt.Sprintf("%d dice: copied from version %d of game %s, whose own file proves them", d.copied, from.GetVersion(), from.GetGame()))
	}
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
