//go:build amd64 || arm64

package boltstore

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/bbolt/internal/powerfail"
	"github.com/warledger/warledger/eventstore/storetest"
)

// powerImages names the environment variable that says how many images the tests of power failures make together,
// about, and powerSeed the one that says which.
const (
	powerImages = "WARLEDGER_IMAGES"
	powerSeed   = "WARLEDGER_SEED"
)

// usualImages are made by all tests together if nothing else is asked for.
const usualImages = 4000

// rounds says how many images a test makes, by what is usual for it, and the seeds with which it does so: many images
// come from several recordings.
func rounds(t testing.TB, usual int) (images int, seeds []uint64) {
	t.Helper()
	wanted, seed := number(t, powerImages, usualImages), number(t, powerSeed, 1)
	n := max(1, wanted/(3*usualImages))
	for i := range n {
		seeds = append(seeds, uint64(seed+i))
	}
	return max(1, usual*wanted/usualImages/n/powerShare), seeds
}

func number(t testing.TB, variable string, usual int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, and should be a number from 1", variable, text)
	}
	return n
}

// scratch is a folder in memory where there is one: what is synced there costs nothing.
func scratch(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "warledger-power-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// life is one run of a writer, to its end or until it is killed in front of the operation of that number; 0 is to its
// end.
type life struct {
	writer string
	args   []string
	kill   int
}

// run records lives in a folder, which may hold something already; said tells what that is.
func run(t testing.TB, dir string, said string, lives ...life) powerfail.Trace {
	t.Helper()
	r := &powerfail.Recorder{Dir: dir}
	defer r.Close()
	for _, l := range lives {
		r.Plan = nil
		if left := l.kill; left > 0 {
			r.Plan = func(o powerfail.Op) powerfail.Verdict {
				if o.Kind != powerfail.Said {
					left--
				}
				return powerfail.Verdict{Kill: left == 0}
			}
		}
		if err := r.Run(l.writer, l.args...); err != nil {
			t.Fatal(err)
		}
	}
	begin := max(0, slices.IndexFunc(r.Trace, func(o powerfail.Op) bool { return o.Kind != powerfail.Held }))
	return slices.Insert(r.Trace, begin, powerfail.Op{Kind: powerfail.Said, Text: said})
}

// killedLives are lives that are killed after some operations each, and a last one that is not.
func killedLives(seed uint64, n, most int, writer string, args ...string) (lives []life) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range n {
		lives = append(lives, life{writer, args, 1 + rnd.IntN(most)})
	}
	return append(lives, life{writer, args, 0})
}

// examiner says what must be in an image: in the folder's store, all that was acknowledged, once, and no half of
// anything. Of some images the store goes on: one append more to a stream that is there, and one to a new one, and all
// of it is there when it is opened once more.
func examiner(known stocks, sub string) func(powerfail.Image) error {
	return func(image powerfail.Image) error {
		l, err := known.tell(image.Said)
		if err != nil {
			return err
		}
		path := filepath.Join(image.Dir, sub, powerFile)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := lookInto(path, l.audit); err != nil || image.Number%4 != 0 {
			return err
		}
		var longer map[string]*account
		err = lookInto(path, func(s eventstore.Store) (err error) {
			longer, err = goOn(s)
			return err
		})
		if err != nil {
			return fmt.Errorf("going on: %w", err)
		}
		if err := lookInto(path, func(s eventstore.Store) error { return audit(s, longer) }); err != nil {
			return fmt.Errorf("after going on: %w", err)
		}
		return nil
	}
}

func lookInto(path string, look func(eventstore.Store) error) error {
	s, err := Open(path, powerOptions())
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	if err := look(s); err != nil {
		_ = s.Close()
		return err
	}
	if err := s.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}

// goOn takes stock of a store, and appends to its first stream and to a new one, enough for a merge.
func goOn(s eventstore.Store) (map[string]*account, error) {
	all, err := takeStock(s)
	if err != nil {
		return nil, err
	}
	streams := []string{"new"}
	if list, err := s.List(context.Background(), "", "", 1); err == nil && len(list) > 0 {
		streams = append(streams, list[0].Name)
	}
	for _, name := range streams {
		a := all[name]
		if a == nil {
			a = &account{tried: map[uint64]uint64{}, with: map[uint64]uint64{}}
			all[name] = a
		}
		c := &storetest.Chain{Stream: name}
		if info, err := s.Head(context.Background(), name); err == nil {
			c.Version, c.Hash = info.Version, info.Hash
		}
		for range 3 {
			v := c.Version + 1
			if err := s.Append(context.Background(), c.Next(powerKey(name, v), powerData(name, v))); err != nil {
				return nil, err
			}
			a.done = v
		}
	}
	return all, nil
}

// takeStock reads all that a store holds.
func takeStock(s eventstore.Store) (map[string]*account, error) {
	list, err := s.List(context.Background(), "", "", 1000)
	if err != nil {
		return nil, err
	}
	all := map[string]*account{}
	for _, info := range list {
		entries, err := s.Read(context.Background(), info.Name, 1, 1<<20, 64<<20)
		if err != nil {
			return nil, err
		}
		all[info.Name] = &account{
			base: entries, baseMeta: string(info.Meta), done: info.Version,
			tried: map[uint64]uint64{}, with: map[uint64]uint64{},
		}
	}
	return all, nil
}

// stockOf returns what a store holds, which is copied to be looked at; each call gives it anew.
func stockOf(t testing.TB, dir string, files ...string) func() map[string]*account {
	t.Helper()
	to := scratch(t)
	for i, name := range files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, powerFile+strings.TrimPrefix(name, files[0])), data, 0o600)
		}
		if err != nil && (i == 0 || !os.IsNotExist(err)) {
			t.Fatal(err)
		}
	}
	var all map[string]*account
	err := lookInto(filepath.Join(to, powerFile), func(s eventstore.Store) (err error) {
		all, err = takeStock(s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() map[string]*account {
		fresh := map[string]*account{}
		for name, a := range all {
			copied := *a
			copied.tried, copied.with = map[uint64]uint64{}, map[uint64]uint64{}
			fresh[name] = &copied
		}
		return fresh
	}
}

// mustSurvive replays a trace and wants no bad image.
func mustSurvive(t testing.TB, trace powerfail.Trace, known stocks, images int, seed uint64) {
	t.Helper()
	r, err := trace.Replay(powerfail.Options{Images: images, Seed: seed, Dir: scratch(t)}, examiner(known, ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d: %d operations; %d images at %d moments, %d bad", seed, len(trace), r.Images, r.Moments, len(r.Bad))
	if len(r.Bad) > 0 {
		t.Errorf("%v", r)
	}
}

// TestPowerFailsAnyTime cuts the power of real writers: of one that appends and is closed and opened again, of several
// at once, and of those that were killed.
func TestPowerFailsAnyTime(t *testing.T) {
	t.Parallel()
	for name, lives := range map[string]func(seed uint64) []life{
		"one": func(uint64) []life {
			return []life{{"append", []string{"70", "1", "close"}, 0}, {"append", []string{"20", "1", "close"}, 0}}
		},
		"several":        func(uint64) []life { return []life{{"append", []string{"25", "4", "close"}, 0}} },
		"killed":         func(seed uint64) []life { return killedLives(seed, 6, 120, "append", "50", "1", "close") },
		"several killed": func(seed uint64) []life { return killedLives(seed, 4, 120, "append", "15", "4", "close") },
		"left": func(uint64) []life {
			return []life{{"append", []string{"40", "1", "leave"}, 0}, {"append", []string{"20", "1", "leave"}, 0}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			images, seeds := rounds(t, 300)
			for _, seed := range seeds {
				mustSurvive(t, run(t, scratch(t), "", lives(seed)...), nil, images, seed)
			}
		})
	}
}

// TestPowerFailsInCompact cuts it while a store is compacted, also by one that was killed at that.
func TestPowerFailsInCompact(t *testing.T) {
	t.Parallel()
	images, seeds := rounds(t, 300)
	for _, seed := range seeds {
		lives := append([]life{{"append", []string{"40", "1", "leave"}, 0}},
			killedLives(seed, 4, 40, "compact", "5", "1", "leave")...)
		mustSurvive(t, run(t, scratch(t), "", lives...), nil, images, seed)
	}
}

// TestPowerFailsInRestore cuts it while a backup is put in a store's place, which is then one or the other.
func TestPowerFailsInRestore(t *testing.T) {
	t.Parallel()
	images, seeds := rounds(t, 300)
	for _, seed := range seeds {
		dir := scratch(t)
		_ = run(t, dir, "", life{"append", []string{"30", "1", "close"}, 0})
		if err := os.Rename(filepath.Join(dir, powerFile), filepath.Join(dir, "backup.db")); err != nil {
			t.Fatal(err)
		}
		_ = run(t, dir, "", life{"append", []string{"50", "1", "leave"}, 0})
		known := stocks{"backup": stockOf(t, dir, "backup.db"), "store": stockOf(t, dir, powerFile)}
		trace := run(t, dir, "base store", killedLives(seed, 3, 30, "restore", "8", "1", "leave")...)
		mustSurvive(t, trace, known, images/2, seed)
		// In the place of a store of format 4 that was left with its journal.
		unpackAs(t, olderFiles["format 4, killed"], dir)
		known["store"] = stockOf(t, dir, powerFile, powerFile+".journal")
		trace = run(t, dir, "base store", killedLives(seed, 3, 30, "restore", "8", "1", "leave")...)
		mustSurvive(t, trace, known, images/2, seed)
	}
}

// powerErrnos are what a device says.
var powerErrnos = []syscall.Errno{syscall.EIO, syscall.ENOSPC}

// TestErrorsAndThenPowerFails has each write and each sync fail in turn, one or a few in a row; the writer goes on as
// it can, closes the store and opens it anew. The power then fails at some moment after the error: what the device was
// told before it failed may never come to it. And nothing is written to a file after a sync of it has failed, until it
// is opened anew.
func TestErrorsAndThenPowerFails(t *testing.T) {
	t.Parallel()
	images, seeds := rounds(t, 1000)
	for _, seed := range seeds {
		traces := recordErrors(t, 9+int(seed%4))
		made := 0
		for i, trace := range traces {
			o := powerfail.Options{Images: max(1, images/len(traces)), Seed: seed + uint64(i), Dir: scratch(t),
				From: trace.Index("error")}
			r, err := trace.Replay(o, examiner(nil, strconv.Itoa(i)))
			if err != nil {
				t.Fatal(err)
			}
			made += r.Images
			if err := afterFailedSync(trace); err != nil {
				t.Errorf("error %d: %v", i, err)
			}
			if len(r.Bad) > 0 {
				t.Errorf("error %d: %v", i, r)
			}
		}
		t.Logf("seed %d: %d errors, %d images", seed, len(traces), made)
	}
}

// afterFailedSync finds what was written to a file between a sync that failed and the next opening.
func afterFailedSync(trace powerfail.Trace) error {
	failed := 0
	for i, o := range trace {
		switch {
		case o.Kind == powerfail.Said && o.Text == "opens":
			failed = 0
		case o.Kind == powerfail.Sync && o.Failed:
			failed = o.File
		case (o.Kind == powerfail.Write || o.Kind == powerfail.Truncate) && o.File == failed:
			return fmt.Errorf("operation %d, %s: a sync of this file has failed before", i, o)
		}
	}
	return nil
}

// recordErrors records writers until there are no more operations to fail.
func recordErrors(t testing.TB, steps int) (traces []powerfail.Trace) {
	t.Helper()
	const many = 40/powerShare + 1
	for from, met := 0, true; met; from += many {
		r := &powerfail.Recorder{Dir: scratch(t)}
		met = false
		nth, at := 0, 0
		r.Plan = func(o powerfail.Op) powerfail.Verdict {
			if o.Kind == powerfail.Said {
				if text, ok := strings.CutPrefix(o.Text, "begin "); ok {
					nth, _ = strconv.Atoi(text)
					at, met = 0, false
				}
				return powerfail.Verdict{}
			}
			if o.Kind != powerfail.Write && o.Kind != powerfail.Sync && o.Kind != powerfail.Truncate &&
				o.Kind != powerfail.SyncDir {
				return powerfail.Verdict{}
			}
			at++
			first := nth * powerShare
			if run := 1 + nth%3%2*2; at > first && at <= first+run { // one of them, or three in a row
				met = true
				return powerfail.Verdict{Refuse: powerErrnos[nth%2]}
			}
			return powerfail.Verdict{}
		}
		if err := r.Run("errors", strconv.Itoa(from), strconv.Itoa(from+many), strconv.Itoa(steps)); err != nil {
			t.Fatal(err)
		}
		_, parts := r.Trace.Split("begin")
		traces = append(traces, parts...)
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return traces
}

// olderFiles are files of older formats, as their programs left them. The one of a program that was killed has a
// journal, whose appends were acknowledged and are nowhere else.
var olderFiles = map[string][]string{
	"format 1":         {"format1.db"},
	"format 2":         {"format2.db"},
	"format 3":         {"format3.db"},
	"format 4":         {"format4.db"},
	"format 5":         {"format5.db"},
	"format 5, killed": {"format5-killed.db"},
	"format 4, killed": {"format4-killed.db", "format4-killed.db.journal"},
}

// TestPowerFailsInUpgrade cuts it while files of older formats are brought up to date, also by a program that was
// killed at that.
func TestPowerFailsInUpgrade(t *testing.T) {
	t.Parallel()
	for name, files := range olderFiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			images, seeds := rounds(t, 120)
			for _, seed := range seeds {
				dir := scratch(t)
				unpackAs(t, files, dir)
				known := stocks{"older": stockOf(t, dir, powerFile, powerFile+".journal")}
				trace := run(t, dir, "base older", killedLives(seed, 4, 25, "append", "12", "1", "close")...)
				mustSurvive(t, trace, known, images, seed)
			}
		})
	}
}

// unpackAs puts a store of the test's data into a folder.
func unpackAs(t testing.TB, files []string, dir string) {
	t.Helper()
	for _, file := range files {
		unpack(t, file+".gz", filepath.Join(dir, powerFile+strings.TrimPrefix(file, files[0])))
	}
}

// unpack puts a file of the test's data at a path.
func unpack(t testing.TB, name, path string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "formats", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
