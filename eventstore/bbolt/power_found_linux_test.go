//go:build amd64 || arm64

package boltstore

import (
	"syscall"
	"testing"

	"github.com/warledger/warledger/eventstore/bbolt/internal/powerfail"
)

// metaSync has the n-th sync of the page that says where all others are fail, or the writer be killed in front of it.
func metaSync(n int, v powerfail.Verdict) func(powerfail.Op) powerfail.Verdict {
	meta := false
	return func(o powerfail.Op) powerfail.Verdict {
		switch o.Kind {
		case powerfail.Write:
			meta = o.Off < 2*pageSize
		case powerfail.Truncate:
			meta = false
		case powerfail.Sync:
			if n--; n < 0 && meta {
				n = 1 << 30
				return v
			}
		}
		return powerfail.Verdict{}
	}
}

// hurt records a writer who meets what is planned, and then others in peace.
func hurt(t testing.TB, plan func(powerfail.Op) powerfail.Verdict, then ...life) powerfail.Trace {
	t.Helper()
	r := &powerfail.Recorder{Dir: scratch(t), Plan: plan}
	defer r.Close()
	_ = r.Run("append", "50", "1", "leave") // it may fail, as planned
	r.Plan = nil
	for _, l := range then {
		if err := r.Run(l.writer, l.args...); err != nil {
			t.Fatal(err)
		}
	}
	return r.Trace
}

var (
	refused = powerfail.Verdict{Refuse: syscall.EIO}
	killed  = powerfail.Verdict{Kill: true}
)

// TestWhatWasFoundIsMadeDurableFirst opens stores whose last commit, or whose name, was written and not synced when a
// sync failed or the process died. Pages that the last durable state needs are written over, or the whole file is lost,
// when the power fails after that, unless what was found is made durable before it is built on. A page that the system
// once could not write does not come to the device by a further sync alone: it must be written again.
func TestWhatWasFoundIsMadeDurableFirst(t *testing.T) {
	t.Parallel()
	repeated := life{"append", []string{"12", "1", "leave"}, 0}
	for name, trace := range map[string]powerfail.Trace{
		"a commit whose last sync failed":     hurt(t, metaSync(60, refused), repeated),
		"one that was killed in front of it":  hurt(t, metaSync(60, killed), repeated),
		"a new file whose folder sync failed": hurt(t, folderSync(refused), repeated),
		"one that was killed in front of it ": hurt(t, folderSync(killed), repeated),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, _ := lastOpened(trace)
			r, err := trace.Replay(powerfail.Options{Images: 120, Seed: 1, Dir: scratch(t), From: from},
				examiner(nil, ""))
			if err != nil || len(r.Bad) > 0 {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
}

// folderSync has the first sync of the folder fail, or the writer be killed in front of it.
func folderSync(v powerfail.Verdict) func(powerfail.Op) powerfail.Verdict {
	done := false
	return func(o powerfail.Op) powerfail.Verdict {
		if o.Kind != powerfail.SyncDir || done {
			return powerfail.Verdict{}
		}
		done = true
		return v
	}
}

// lastOpened are the places in a trace where the store was opened last, or is said to be, and where it then was open.
func lastOpened(trace powerfail.Trace) (from, to int) {
	for i, o := range trace {
		switch o.Text {
		case "opens":
			from = i
		case "open":
			to = i
		}
	}
	return from, to
}
