package ledger

import (
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// endAudit checks why a game ended. The record that ends a game is followed by the release of its secrets, and by
// nothing else. Otherwise anybody could cut the file of a finished game short, append its secrets, and claim to have
// won.
type endAudit struct {
	a *auditor
	// ended is the record in which somebody resigned for a side or the owner closed the game; 0 once the next has come.
	ended uint64
	over  bool
}

// add follows a record, after the play audit has.
func (e *endAudit) add(r *Record) {
	events, _ := r.TableEvents() // the chain has read them before
	before, releases, ends := e.ended, false, false
	e.ended = 0
	for _, event := range events {
		switch event := event.Event.(type) {
		case *logv1.TableEvent_SecretsReleased:
			releases = true
		case *logv1.TableEvent_Resigned:
			e.resigned(r, event.Resigned)
			ends = ends || !event.Resigned.GoesOn
		case *logv1.TableEvent_GameClosed:
			ends = true
		}
	}
	switch play := e.a.play; {
	case e.over:
		return
	case before != 0 && !releases:
		e.find(r, "goes on with the game, which record %d ended", before)
	case !releases || before != 0 || play.blind != "": // the play audit says that positions are not known
	case !play.head(r.Header().Head).over:
		e.find(r, "releases the secrets of a game that neither its rules nor its players nor its owner had ended")
	}
	e.over = e.over || releases
	if ends && !releases {
		e.ended = r.Version()
	}
}

// resigned checks who gives up a seat: its holder, or the server when the holder's time is up.
func (e *endAudit) resigned(r *Record, gone *logv1.Resigned) {
	by := gone.Seat
	if gone.ByClock {
		by = ""
	}
	if r.Header().Seat != by {
		e.find(r, "gives up %q but was sent by %q", gone.Seat, r.Header().Seat)
	}
}

func (e *endAudit) find(r *Record, format string, args ...any) {
	e.a.find(r.Version(), Error, CheckChain, format, args...)
}
