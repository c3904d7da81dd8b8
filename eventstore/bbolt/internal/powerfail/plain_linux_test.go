//go:build amd64 || arm64

package powerfail

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	bolt "go.etcd.io/bbolt"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	Writers(map[string]func(string, []string) error{"plain": plain, "calls": calls, "odd": odd})
	goleak.VerifyTestMain(m)
}

// plain puts records into a plain bbolt file, and says before and after each that it tries and has done so. It goes on
// after the last record that is there. Its arguments are how many it puts and what it does wrong, if anything.
func plain(dir string, args []string) error {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "plain.db")
	db, err := bolt.Open(path, 0o600, &bolt.Options{PageSize: 4096})
	if err != nil {
		return err
	}
	defer db.Close()
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return err
	}
	Mark("made 0")
	switch args[1] {
	case "does not sync first":
	case "only syncs first":
		err = db.Sync()
	default:
		err = settle(db, path)
	}
	if err != nil {
		return err
	}
	for range n {
		err := put(db)
		if err != nil && args[1] == "goes on after an error" {
			continue
		}
		if err != nil {
			return nil // whoever opens it anew may go on
		}
	}
	return nil
}

// settle makes durable what is there: the page that is in force may be one that the last writer wrote and a device
// forgot, so it is written again.
func settle(db *bolt.DB, path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	b := make([]byte, first)
	if _, err = f.ReadAt(b, 0); err == nil {
		_, err = f.WriteAt(b, 0)
	}
	return errors.Join(err, db.Sync(), f.Close())
}

func put(db *bolt.DB) error {
	return db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte("records"))
		if err != nil {
			return err
		}
		n, err := b.NextSequence()
		if err != nil {
			return err
		}
		Mark("try %d", n)
		tx.OnCommit(func() { Mark("done %d", n) })
		return b.Put(binary.BigEndian.AppendUint64(nil, n), record(n))
	})
}

// record is what the n-th record holds.
func record(n uint64) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "record %d;", n), 1+int(n*37%300))
}

// examinePlain opens a file, and finds each record that was answered, whole, and besides no more than those that were
// tried.
func examinePlain(image Image) (err error) {
	var tried, answered uint64
	for _, text := range image.Said {
		what, number, _ := strings.Cut(text, " ")
		n, err := strconv.ParseUint(number, 10, 64)
		switch {
		case err != nil:
			return err
		case what == "try":
			tried = max(tried, n)
		case what == "done":
			answered = n
		}
	}
	path := filepath.Join(image.Dir, "plain.db")
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(func(tx *bolt.Tx) error {
		if info, err := os.Stat(path); err != nil || info.Size() < tx.Size() {
			return fmt.Errorf("the file is too short: %w", err)
		}
		found := uint64(0)
		if b := tx.Bucket([]byte("records")); b != nil {
			err := b.ForEach(func(k, v []byte) error {
				if found++; found > tried || binary.BigEndian.Uint64(k) != found || !bytes.Equal(v, record(found)) {
					return fmt.Errorf("record %d is not what it was", found)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if found < answered || found > tried {
			return fmt.Errorf("%d records, of %d that were answered and %d that were tried", found, answered, tried)
		}
		var errs error
		for err := range tx.Check() {
			errs = errors.Join(errs, err)
		}
		return errs
	})
}

// scratch is a folder in memory, where there is one.
func scratch(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "warledger-power-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// recordPlain records a writer of a plain bbolt file that is killed in front of a sync, and begun anew.
func recordPlain(t *testing.T, fault string, plans ...func(Op) Verdict) Trace {
	t.Helper()
	r := &Recorder{Dir: scratch(t)}
	defer r.Close()
	for _, plan := range plans {
		r.Plan = plan
		if err := r.Run("plain", "25", fault); err != nil {
			t.Fatal(err)
		}
	}
	return r.Trace
}

// killAt kills a writer in front of its n-th sync of the page that says where the data are.
func killAt(n int) func(Op) Verdict { return atMetaSync(n, Verdict{Kill: true}) }

// failAt has that sync fail.
func failAt(n int) func(Op) Verdict { return atMetaSync(n, Verdict{Refuse: syscall.EIO}) }

func atMetaSync(n int, v Verdict) func(Op) Verdict {
	meta := false
	return func(o Op) Verdict {
		if o.Kind == Write || o.Kind == Truncate {
			meta = o.Kind == Write && o.Off < first
		}
		if o.Kind == Sync && meta {
			if n--; n == 0 {
				return v
			}
		}
		return Verdict{}
	}
}

// refuseAt has the n-th operation of a kind fail.
func refuseAt(kind Kind, n int) func(Op) Verdict {
	return func(o Op) Verdict {
		if o.Kind == kind {
			if n--; n == 0 {
				return Verdict{Refuse: syscall.EIO}
			}
		}
		return Verdict{}
	}
}

func leftInPeace(Op) Verdict { return Verdict{} }

// TestPlainSurvives replays bbolt alone, which is made for it: a writer that is killed, that meets errors, and goes on
// in the way that is safe.
func TestPlainSurvives(t *testing.T) {
	t.Parallel()
	for name, plans := range map[string][]func(Op) Verdict{
		"in peace":           {leftInPeace},
		"killed":             {killAt(20), killAt(10), leftInPeace},
		"failed sync":        {refuseAt(Sync, 20), refuseAt(Sync, 11), leftInPeace},
		"failed write":       {refuseAt(Write, 30), refuseAt(Write, 31), leftInPeace},
		"failed last sync":   {failAt(12), failAt(3), leftInPeace},
		"failed, and killed": {failAt(13), killAt(2), leftInPeace},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			replay(t, recordPlain(t, "", plans...), 200, false)
		})
	}
}

func replay(t *testing.T, trace Trace, images int, wantBad bool) {
	t.Helper()
	r, err := trace.Replay(Options{Images: images, Seed: 1, Dir: scratch(t), From: trace.Index("made")}, examinePlain)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r)
	if wantBad != (len(r.Bad) > 0) {
		t.Errorf("bad images wanted: %t", wantBad)
	}
}

// TestPlantedFaultsAreNoticed gives the replay writers that do what must not be done.
func TestPlantedFaultsAreNoticed(t *testing.T) {
	t.Parallel()
	good := recordPlain(t, "", leftInPeace)
	for name, trace := range map[string]Trace{
		"no sync":           good.Without(func(_ int, o Op) bool { return o.Kind == Sync }),
		"no sync of data":   good.Without(everySecondSync()),
		"answers too early": good.Earlier(func(text string) bool { return strings.HasPrefix(text, "done") }),
		"goes on with the same pages after a failed sync": recordPlain(t, "goes on after an error", failAt(12)),
		"writes after a kill without syncing first": recordPlain(t, "does not sync first", killAt(12),
			leftInPeace),
		"writes after an error without syncing first": recordPlain(t, "does not sync first", failAt(12), leftInPeace),
		"writes after an error and only syncs first":  recordPlain(t, "only syncs first", failAt(12), leftInPeace),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			replay(t, trace, 200, true)
		})
	}
}

// everySecondSync picks those between data and the page that says where they are.
func everySecondSync() func(int, Op) bool {
	n := 0
	return func(_ int, o Op) bool {
		if o.Kind != Sync {
			return false
		}
		n++
		return n > 1 && n%2 == 0
	}
}
