package boltstore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// Salvaged is what of a journal that cannot be used could be saved.
type Salvaged struct {
	// Needed is false for a store that opens as it is. Nothing was done then.
	Needed bool
	// Cause is why it did not open.
	Cause error
	// Aside is the new name of the journal; "" if there was none, or nothing was to be changed.
	Aside string
	// Frames is how many whole frames of the journal were found; each is what one commit wrote.
	Frames int
	// Damaged has the numbers of frames before whole ones that are damaged. What they held cannot be told. What came after the last whole frame, if anything did,
	// cannot be told either.
	Damaged []uint64
	// Taken and Lost are by stream, in the order of names.
	Taken []SalvagedStream
	Lost  []SalvagedStream
}

// SalvagedStream is what was taken of one stream, or what was lost.
type SalvagedStream struct {
	Stream string
	// First and Last are versions of entries; 0 where there is only metadata. Of what was lost, Last is the last that is known of.
	First, Last uint64
	// Metadata says that the stream's metadata was changed too.
	Metadata bool
	// Why says what became of what was lost.
	Why string
}

// errStateUnreadable is of a file that does not say which journal is its own: no frame can be told from one of another store.
var errStateUnreadable = errors.New("the file does not say which journal is its own, so nothing can be taken from one: restore a backup")

// Salvage opens the way to a store whose journal is missing, not the one, or damaged: it takes every whole frame whose appends go on from what is there, and loses the
// rest. A stream of which an append is lost loses all later ones. The journal is kept under another name, and then the store opens. With apply false it only says what it would do.
// Nobody may have the file open: it returns [eventstore.ErrLocked] then.
func Salvage(path string, apply bool) (report Salvaged, err error) {
	if _, err := os.Stat(path); err != nil {
		return report, err
	}
	o := Options{ReadOnly: !apply}.withDefaults()
	db, err := openBolt(path, o)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	sound := newStore(db, path, Options{ReadOnly: true}.withDefaults())
	if report.Cause = sound.loadJournal(path); report.Cause == nil {
		if sound.journal != nil {
			err = sound.journal.f.Close()
		}
		return report, err
	}
	report.Needed = true
	s := newStore(db, path, o)
	if err := s.salvage(&report); err != nil || !apply {
		return report, err
	}
	return report, s.keepSalvaged(&report)
}

// salvage has what can be taken wait to be merged, and says what that is.
func (s *Store) salvage(report *Salvaged) error {
	var state journalState
	if err := s.view("", func(tx *bolt.Tx) (err error) { state, err = readState(tx); return err }); err != nil {
		return fmt.Errorf("%w (%w)", errStateUnreadable, err)
	}
	all, err := os.ReadFile(JournalPath(s.path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.journal, s.marking = &journal{id: state.id, epoch: state.epoch}, marked
	t := taking{s: s, report: report, lost: make(map[string]*SalvagedStream), taken: make(map[string]*SalvagedStream)}
	err = s.view("", func(tx *bolt.Tx) error { t.frames(tx, all[min(len(all), journalHeader):]); return nil })
	report.Taken, report.Lost = sorted(t.taken), sorted(t.lost)
	return err
}

func sorted(streams map[string]*SalvagedStream) (list []SalvagedStream) {
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		list = append(list, *streams[name])
	}
	return list
}

// taking is what a salvage has got to.
type taking struct {
	s      *Store
	report *Salvaged
	taken  map[string]*SalvagedStream
	lost   map[string]*SalvagedStream // these lose all that comes later
}

// frames looks for whole frames at every place where one can begin. Their checksums cover the journal's id, so none is taken from another's.
func (t *taking) frames(tx *bolt.Tx, data []byte) {
	j, last := t.s.journal, uint64(0)
	for at := 0; at < len(data); {
		f, ok := readFrame(data[at:], j.id, j.epoch)
		if !ok || f.number <= last {
			at += block
			continue
		}
		for last++; last < f.number && len(t.report.Damaged) < maxDamaged; last++ {
			t.report.Damaged = append(t.report.Damaged, last)
		}
		last = f.number
		at += f.size
		list, err := parseRequests(f.requests)
		if err != nil { // its checksum is right: no program writes such a one
			t.report.Damaged = append(t.report.Damaged, f.number)
			continue
		}
		t.report.Frames++
		for _, r := range list {
			t.request(tx, r)
		}
	}
}

// maxDamaged bounds the numbers of damaged frames that are listed.
const maxDamaged = 10_000

// request takes one request if it goes on from what is there.
func (t *taking) request(tx *bolt.Tx, r *request) {
	first, last := uint64(0), uint64(0)
	if n := len(r.entries); n > 0 {
		first, last = r.expected+1, r.expected+uint64(n)
	}
	if lost := t.lost[r.stream]; lost != nil {
		lost.First, lost.Last = cmp.Or(lost.First, first), max(lost.Last, last)
		lost.Metadata = lost.Metadata || r.meta != nil
		return
	}
	version, err := t.version(tx, r)
	if err == nil {
		err = t.s.resume(tx, r)
	}
	if err != nil {
		if first > 0 {
			first = min(first, version+1) // what is missing between is lost too
		}
		t.lost[r.stream] = &SalvagedStream{Stream: r.stream, First: first, Last: last, Metadata: r.meta != nil, Why: err.Error()}
		return
	}
	taken := t.taken[r.stream]
	if taken == nil {
		taken = &SalvagedStream{Stream: r.stream}
		t.taken[r.stream] = taken
	}
	taken.First, taken.Last = cmp.Or(taken.First, first), max(taken.Last, last)
	taken.Metadata = taken.Metadata || r.meta != nil
}

// version is that of the stream so far, and says why a request does not go on from it.
func (t *taking) version(tx *bolt.Tx, r *request) (version uint64, err error) {
	id, h, err := bucketsOf(tx).findSafely(r.stream)
	if err != nil {
		return 0, fmt.Errorf("the stream is damaged in the file: %w", err)
	}
	version, hash := h.version, h.hash
	late := t.s.pending.Load().streams[r.stream]
	if late != nil && len(late.entries) > 0 {
		version, hash = late.version(), late.hash
	}
	switch {
	case len(r.entries) == 0 && id == 0 && late == nil:
		return 0, errors.New("the stream's first append is not there")
	case len(r.entries) == 0:
		return version, nil
	case r.expected != version:
		return version, fmt.Errorf("version %d is the last that is left", version)
	}
	p, err := splitEntry(r.stream, r.expected+1, r.entries[0].value)
	if err == nil && !p.follows(hash) {
		err = errLink
	}
	return version, err
}

// keepSalvaged makes a copy of the journal under another name, merges what was taken, and only then removes the journal: broken off anywhere, it can be begun again.
func (s *Store) keepSalvaged(report *Salvaged) error {
	path := JournalPath(s.path)
	if there(path) {
		aside := asideName(path)
		name, err := copyBeside(path, aside)
		if err != nil {
			return err
		}
		if err := errors.Join(os.Rename(name, aside), syncDir(filepath.Dir(path))); err != nil {
			return err
		}
		report.Aside = aside
	}
	if err := s.merge(true); err != nil {
		return err
	}
	if report.Aside == "" {
		return nil
	}
	return errors.Join(os.Remove(path), syncDir(filepath.Dir(path)))
}
