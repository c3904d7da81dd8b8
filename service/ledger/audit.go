package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// Audit checks a whole log: that every record is what its hash says and follows the one before, that secrets and
// scenario are those committed to, that the dice follow from the secret, that what had become known was taken back by
// consent, that nobody's time was up too soon, that something ended a game that is over, and that the rules decide
// every command as it was decided, also on branches that were undone. Each command is decided on the position that the
// stored events fold to, so that one difference does not cause others.
//
// It reads the source twice: once for the chain, once for the rest, which needs the secrets that come last. It keeps
// the line to the head in memory as long as undos are to come. After a broken chain it stops, for nothing behind it can
// be trusted. report is called for every finding, in the order of the records within each reading; it may be nil. The
// error is the source's or the context's: a log that is wrong is no error of the audit.
func Audit(
	ctx context.Context, src Source, reg *rules.Registry, document []byte, o AuditOptions, report func(Finding),
) (Summary, error) {
	a := &auditor{ctx: ctx, src: src, o: o, report: report}
	if a.o.Stride <= 0 {
		a.o.Stride = usualStride
	}
	intact, err := a.readChain()
	if err != nil || !intact {
		return a.sum, err
	}
	a.dice = a.newDiceAudit()
	a.salts = a.newSaltAudit()
	a.play = a.newPlayAudit(reg, document)
	a.consent = newConsentAudit(a)
	a.clock = a.newClockAudit()
	a.end = &endAudit{a: a}
	if err := a.readContents(); err != nil {
		return a.sum, err
	}
	a.consent.carried.close()
	a.sum.Unchecked = append(a.sum.Unchecked, a.dice.unchecked()...)
	a.sum.Unchecked = append(a.sum.Unchecked, a.play.unchecked()...)
	a.sum.Unchecked = append(a.sum.Unchecked, a.consent.unchecked()...)
	return a.sum, nil
}

// auditor holds what the parts of an audit share.
type auditor struct {
	ctx    context.Context
	src    Source
	o      AuditOptions
	report func(Finding)
	sum    Summary

	chain Chain
	// undos counts those that are still to come.
	undos   int
	dice    *diceAudit
	salts   *Salter
	play    *playAudit
	consent *consentAudit
	clock   *clockAudit
	end     *endAudit
	// made is the time of the record before.
	made time.Time
}

func (a *auditor) find(version uint64, s Severity, c Check, format string, args ...any) {
	a.found(Finding{Version: version, Severity: s, Check: c, Message: fmt.Sprintf(format, args...)})
}

func (a *auditor) found(f Finding) {
	if f.Severity == Error {
		a.sum.Errors++
	} else {
		a.sum.Notices++
	}
	if a.report != nil {
		a.report(f)
	}
}

// each calls do for every record, verified, until it returns false. A record that cannot be opened is an *openError.
func (a *auditor) each(do func(*Record) bool) error {
	version := uint64(0)
	for data, err := range a.src() {
		if err == nil {
			err = a.ctx.Err()
		}
		if err != nil {
			return err
		}
		version++
		r, err := Open(data)
		if err != nil {
			return &openError{version, err}
		}
		if !do(r) {
			return nil
		}
	}
	return a.ctx.Err()
}

type openError struct {
	version uint64
	err     error
}

func (e *openError) Error() string { return fmt.Sprintf("record %d: %v", e.version, e.err) }
func (e *openError) Unwrap() error { return e.err }

// readChain is the first reading. It reports whether the chain is intact.
func (a *auditor) readChain() (intact bool, err error) {
	broken := false
	err = a.each(func(r *Record) bool {
		if err := a.chain.Add(r); err != nil {
			broken = true
			a.chainFault(a.chain.Tree().Version()+1, err)
			return false
		}
		a.sum.Hidden += uint64(r.Hidden())
		if r.Header().Kind == logv1.RecordKind_RECORD_KIND_UNDO {
			a.undos++
		}
		return true
	})
	if bad := (*openError)(nil); errors.As(err, &bad) {
		broken, err = true, nil
		a.find(bad.version, Error, CheckChain, "cannot be read: %v", bad.err)
	}
	t := a.chain.Tree()
	a.sum.Game, a.sum.Records, a.sum.Head, a.sum.Hash = a.chain.Game(), t.Version(), t.Head(), a.chain.Hash()
	a.sum.Ended = a.chain.Released() != nil
	if err == nil && !broken && t.Version() == 0 {
		broken = true
		a.find(0, Error, CheckChain, "the log has no records")
	}
	return err == nil && !broken, err
}

// checkTime checks that no record is older than the one before. Turns and deadlines go by times, and so does anyone
// who looks for a day in a log.
func (a *auditor) checkTime(r *Record) {
	switch t := r.Header().Time; {
	case t.CheckValid() != nil:
		a.find(r.Version(), Error, CheckTime, "does not say when it was made")
	case t.AsTime().Before(a.made):
		a.find(r.Version(), Error, CheckTime, "was made at %s, earlier than the record before it, at %s",
			t.AsTime().Format(time.RFC3339Nano), a.made.Format(time.RFC3339Nano))
	default:
		a.made = t.AsTime()
	}
}

func (a *auditor) chainFault(version uint64, err error) {
	message := err.Error()
	if c := (*ChainError)(nil); errors.As(err, &c) {
		message = c.What
	}
	a.find(version, Error, CheckChain, "%s", message)
}

// readContents is the second reading. A source that gives other records than before is an error.
func (a *auditor) readContents() error {
	total := a.chain.Tree().Version()
	var seen uint64
	var last Hash
	err := a.each(func(r *Record) bool {
		if seen == total {
			return false
		}
		seen, last = seen+1, r.Hash()
		a.checkSalts(r)
		a.checkTime(r)
		a.dice.add(r)
		a.play.add(r)
		a.end.add(r)
		a.consent.add(r)
		a.clock.add(r)
		if a.o.Progress != nil {
			a.o.Progress(seen, total)
		}
		return a.play.err == nil
	})
	if err == nil {
		err = a.play.err
	}
	if err == nil && (seen != total || last != a.chain.Hash()) {
		err = errors.New("audit: the source gave other records on the second reading")
	}
	return err
}
