//go:build amd64 || arm64

package boltstore

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore/bbolt/internal/powerfail"
	bolt "go.etcd.io/bbolt"
)

// powerPlanted appends like powerAppend, and does what must not be done: merge without emptying what was merged, empty
// it without merging, or go on after a sync that failed.
func powerPlanted(dir string, args []string) error {
	p, err := powerOpen(filepath.Join(dir, powerFile))
	if err != nil {
		return err
	}
	for i := range 40 {
		err := p.step(i)
		switch {
		case err != nil && args[0] == "goes on":
			powerfail.Mark("opens") // so to speak
			p.s.stopped.Store(nil)
			powerfail.Mark("open")
		case err != nil:
			return err
		}
	}
	if args[0] == "goes on" {
		return nil
	}
	powerfail.Mark("opens") // so to speak
	err = p.s.mergeBadly(args[0])
	powerfail.Mark("open")
	return err
}

// mergeBadly leaves out a part of a merge.
func (s *Store) mergeBadly(how string) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	lastID := s.lastID
	return s.update(afterMerge, func(tx *bolt.Tx) (err error) {
		if how != "without merging" {
			err = s.mergeInto(tx, &lastID)
		}
		st := state{version: formatVersion, merged: s.number, lastID: lastID}
		if err = errors.Join(err, tx.Bucket(bucketNames).SetSequence(lastID), st.write(tx)); err == nil &&
			how != "without emptying" {
			err = emptyRecent(tx, s.number)
		}
		return err
	})
}

// TestPowerFailureNoticesPlantedFaults gives the replay stores that do what must not be done: it must find an image
// that is bad, in each, with the seed of CI. The same writers without these faults have none.
func TestPowerFailureNoticesPlantedFaults(t *testing.T) {
	t.Parallel()
	good := run(t, scratch(t), "", life{"append", []string{"50", "1", "close"}, 0})
	repeated := life{"append", []string{"50", "1", "leave"}, 0}
	afterError, afterKill := hurt(t, metaSync(60, refused), repeated), hurt(t, metaSync(60, killed), repeated)
	for name, tt := range map[string]struct {
		trace powerfail.Trace
		bad   bool
	}{
		"none":               {good, false},
		"none, after errors": {soon(afterError), false},
		"none, after a kill": {soon(afterKill), false},
		"never syncs":        {good.Without(kinds(powerfail.Sync)), true},
		"never syncs names":  {good.Without(kinds(powerfail.SyncDir)), true},
		"syncs only once":    {good.Without(dataSyncs(good)), true},
		"answers before the sync": {
			good.Earlier(func(text string) bool { return strings.HasPrefix(text, "done ") }), true,
		},
		"merges without emptying": {
			soon(run(t, scratch(t), "", life{"planted", []string{"without emptying"}, 0})), true,
		},
		"empties without merging": {
			soon(run(t, scratch(t), "", life{"planted", []string{"without merging"}, 0})), true,
		},
		"goes on after an error": {soon(goneOn(t)), true},
		"opens after an error and makes nothing durable": {
			soon(afterError.Without(opening(afterError, powerfail.Sync, powerfail.Write))), true,
		},
		"opens after an error and only syncs": {soon(afterError.Without(opening(afterError, powerfail.Write))), true},
		"opens after a kill and makes nothing durable": {
			soon(afterKill.Without(opening(afterKill, powerfail.Sync, powerfail.Write))), true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, _ := lastOpened(tt.trace)
			r, err := tt.trace.Replay(powerfail.Options{Images: 150, Seed: 1, Dir: scratch(t), From: from},
				whatEnds(examiner(nil, "")))
			if err != nil {
				t.Fatal(err)
			}
			t.Log(r)
			if tt.bad != (len(r.Bad) > 0) {
				t.Errorf("bad images are wanted: %t", tt.bad)
			}
		})
	}
}

func kinds(list ...powerfail.Kind) func(int, powerfail.Op) bool {
	return func(_ int, o powerfail.Op) bool { return slices.Contains(list, o.Kind) }
}

// soon is a trace up to some operations after the last opening: what is wrong there shows soon.
func soon(trace powerfail.Trace) powerfail.Trace {
	_, to := lastOpened(trace)
	return trace[:min(len(trace), to+25)]
}

// goneOn records a writer who goes on after a sync that failed.
func goneOn(t testing.TB) powerfail.Trace {
	t.Helper()
	r := &powerfail.Recorder{Dir: scratch(t), Plan: metaSync(60, refused)}
	defer r.Close()
	if err := r.Run("planted", "goes on"); err != nil {
		t.Fatal(err)
	}
	return r.Trace
}

// whatEnds refuses files whose pages lead back into themselves: bbolt's cursors go on in them for ever.
func whatEnds(examine func(powerfail.Image) error) func(powerfail.Image) error {
	return func(image powerfail.Image) error {
		path := filepath.Join(image.Dir, powerFile)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			return examine(image)
		}
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
		if err != nil {
			return err
		}
		err = db.View(func(tx *bolt.Tx) error {
			endless, _, err := walkPages(tx, path, func(string, ...any) {})
			if endless {
				return errEndless
			}
			return err
		})
		if err := errors.Join(err, db.Close()); err != nil {
			return err
		}
		return examine(image)
	}
}

// dataSyncs picks the syncs between data and the page that tells of them.
func dataSyncs(trace powerfail.Trace) func(int, powerfail.Op) bool {
	return func(i int, o powerfail.Op) bool {
		return o.Kind == powerfail.Sync && i+1 < len(trace) && trace[i-1].Kind == powerfail.Write &&
			trace[i-1].Off >= 2*pageSize && trace[i+1].Kind == powerfail.Write
	}
}

// opening picks operations of some kinds of the last opening.
func opening(trace powerfail.Trace, kinds ...powerfail.Kind) func(int, powerfail.Op) bool {
	from, to := lastOpened(trace)
	return func(i int, o powerfail.Op) bool { return i > from && i < to && slices.Contains(kinds, o.Kind) }
}
