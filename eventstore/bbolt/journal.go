package boltstore

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
)

// journalID tells whose journal a file is. It is drawn anew for each file.
type journalID [16]byte

// journalState is what the store's file says of its journal.
type journalState struct {
	// used is whether there are, or may be, frames that are not merged.
	used bool
	id   journalID
	// epoch is that of the frames which are not merged; those of others are void.
	epoch uint64
}

const (
	// journalBytes is how long a journal gets before it is merged.
	journalBytes = 4 << 20
	// journalStep is by how much the file grows at a time. A sync of what was there before has no length to note.
	journalStep = 256 << 10
	// journalHeader is the size of what a journal begins with: its magic words, its layout's number, its id, and a checksum.
	journalHeader = block
	journalLayout = 1
)

var (
	formatJournal = []byte("journal")
	journalMagic  = []byte("warledger event store journal\n")

	errNoJournal      = errors.New("the journal, with appends that are not in the file yet, is missing")
	errNoFile         = errors.New("there is this journal, with appends, and no file that it belongs to")
	errForeignJournal = errors.New("the journal beside the file belongs to another store, or to another state of this one")
)

// JournalPath is where the journal of a store lies while it is open, and after it was killed: beside it.
func JournalPath(path string) string { return path + ".journal" }

// marking is whether the store's file says that the journal is used.
type marking int

const (
	unmarked    marking = iota
	maybeMarked         // it may: writing so has failed, and the journal must stay where it is
	marked
)

// journal is the file that commits write. All appends of a commit go to its end, in one frame with one sync; from there they are merged into the
// store's file many at a time.
type journal struct {
	f     *os.File
	id    journalID
	epoch uint64
	last  uint64 // number of the last frame in this epoch
	at    int64  // where the next frame goes
	size  int64  // of the file
	sync  bool
	frame []byte // as it was last written, kept to be written again
}

// readState is what the file says of its journal.
func readState(tx *bolt.Tx) (journalState, error) {
	raw := tx.Bucket(bucketFormat).Get(formatJournal)
	if raw == nil {
		return journalState{}, nil
	}
	if len(raw) != 1+len(journalID{})+8 || raw[0] > 1 {
		return journalState{}, errLength
	}
	return journalState{raw[0] == 1, journalID(raw[1:17]), binary.BigEndian.Uint64(raw[17:])}, nil
}

func (s journalState) write(tx *bolt.Tx) error {
	raw := []byte{0}
	if s.used {
		raw[0] = 1
	}
	return tx.Bucket(bucketFormat).Put(formatJournal, binary.BigEndian.AppendUint64(append(raw, s.id[:]...), s.epoch))
}

// createJournal makes the file of an empty journal, in place of one that may lie there.
func createJournal(path string, o Options) (j *journal, err error) {
	j = &journal{sync: !o.NoSync, epoch: 1, at: journalHeader, size: journalHeader}
	if _, err := rand.Read(j.id[:]); err != nil {
		return nil, err
	}
	if j.f, err = o.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil { // TRUNC: see setAside
		return nil, err
	}
	h := append(make([]byte, 0, journalHeader), journalMagic...)
	h = binary.BigEndian.AppendUint32(h, journalLayout)
	h = append(h, j.id[:]...)
	h = binary.BigEndian.AppendUint32(h, frameChecksum(j.id, 0, 0, h))
	if err = j.write(h[:journalHeader], 0); err == nil {
		err = j.synced()
	}
	if err == nil && j.sync {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, j.f.Close())
	}
	return j, nil
}

// openJournal opens the journal that a state speaks of, and gives what is in it besides its header.
func openJournal(path string, o Options, state journalState) (j *journal, frames []byte, err error) {
	flag := os.O_RDWR
	if o.ReadOnly {
		flag = os.O_RDONLY
	}
	f, err := o.OpenFile(path, flag, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, errNoJournal
	}
	if err != nil {
		return nil, nil, err
	}
	all, err := io.ReadAll(f)
	if err == nil {
		err = checkHeader(all, state.id)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return &journal{f: f, sync: !o.NoSync, id: state.id, epoch: state.epoch, at: journalHeader, size: int64(len(all))}, all[journalHeader:], nil
}

func checkHeader(all []byte, id journalID) error {
	if len(all) < journalHeader || !bytes.HasPrefix(all, journalMagic) {
		return errForeignJournal
	}
	h := all[len(journalMagic):]
	if n := binary.BigEndian.Uint32(h); n != journalLayout {
		return fmt.Errorf("the journal has layout %d, this program knows %d", n, journalLayout)
	}
	if journalID(h[4:20]) != id || binary.BigEndian.Uint32(h[20:]) != frameChecksum(id, 0, 0, all[:len(journalMagic)+20]) {
		return errForeignJournal
	}
	return nil
}

// scan gives the frames of the journal's epoch in their order, and leaves the journal where the next one goes. The last may be torn, by a process that died while it
// wrote it, and is then none. One that is damaged before others that are whole was acknowledged: that is an error.
func (j *journal) scan(frames []byte, each func(frame) error) error {
	for at := 0; ; {
		f, ok := readFrame(frames[at:], j.id, j.epoch)
		if !ok || f.number != j.last+1 {
			return j.torn(frames, at)
		}
		if err := each(f); err != nil {
			return fmt.Errorf("frame %d: %w", f.number, err)
		}
		end := min(at+f.size, len(frames)) // the zeros after the last may be missing
		j.frame = append(append(j.frame[:0], frames[at:end]...), make([]byte, at+f.size-end)...)
		j.last = f.number
		j.at += int64(f.size)
		at = end
	}
}

// torn reports an error unless nothing after a place is a frame that came later.
func (j *journal) torn(frames []byte, at int) error {
	for ; at < len(frames); at += block {
		if f, ok := readFrame(frames[at:], j.id, j.epoch); ok && f.number > j.last {
			return fmt.Errorf("frame %d is damaged, and frame %d after it is whole", j.last+1, f.number)
		}
	}
	return nil
}

// put writes a frame of requests and makes it durable. Where written is false nothing of it can come back; otherwise an error leaves that open.
func (j *journal) put(requests []*request) (written bool, err error) {
	j.frame = appendFrame(j.frame[:0], j.id, j.epoch, j.last+1, requests)
	if err := j.grow(len(j.frame)); err != nil {
		return false, err
	}
	return j.again()
}

// again writes the frame of the last put. Where only a part was written, the rest may happen to be there: it often ends in zeros.
func (j *journal) again() (written bool, err error) {
	if n, err := j.f.WriteAt(j.frame, j.at); err != nil || n < len(j.frame) {
		return n > 0, cmp.Or(err, io.ErrShortWrite)
	}
	return true, j.synced()
}

// renew writes the last frame that was read once more, and makes it durable: who wrote it may have died before it was.
func (j *journal) renew() error {
	if j.last == 0 {
		return nil
	}
	last := j.at - int64(len(j.frame))
	if err := j.write(j.frame, last); err != nil {
		return err
	}
	j.size = max(j.size, j.at)
	return j.synced()
}

// pass goes on to the next frame: the last one is durable.
func (j *journal) pass() {
	j.last++
	j.at += int64(len(j.frame))
	if cap(j.frame) > 2*journalStep {
		j.frame = nil // a rare large one
	}
}

// grow makes room for so many bytes. Their blocks are then there before they are needed, but for a frame that is larger than a step.
func (j *journal) grow(n int) error {
	end := j.at + int64(n)
	if end <= j.size {
		return nil
	}
	end = (end + journalStep - 1) / journalStep * journalStep
	zeros := make([]byte, journalStep)
	for j.size < end {
		part := zeros[:min(int64(len(zeros)), end-j.size)]
		if err := j.write(part, j.size); err != nil {
			return err
		}
		j.size += int64(len(part))
	}
	return nil
}

// restart begins a new epoch: what the journal holds is merged.
func (j *journal) restart() {
	j.epoch, j.last, j.at = j.epoch+1, 0, journalHeader
	if j.size > 2*journalBytes { // it was grown by a large append
		if j.f.Truncate(journalBytes) == nil {
			j.size = journalBytes
		}
	}
}

func (j *journal) write(data []byte, at int64) error {
	n, err := j.f.WriteAt(data, at)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	return err
}

func (j *journal) synced() error {
	if !j.sync {
		return nil
	}
	return syncData(j.f)
}

// loadJournal reads what the journal holds that is not merged, if there is any.
func (s *Store) loadJournal(path string) error {
	var state journalState
	err := s.view("", func(tx *bolt.Tx) (err error) { state, err = readState(tx); return err })
	if err != nil {
		return &JournalError{Path: path, Cause: err}
	}
	s.former = state.id
	if !state.used {
		s.left = state.id != journalID{} && there(JournalPath(path)) // or it would have been removed
		return nil
	}
	j, frames, err := openJournal(JournalPath(path), s.o, state)
	if err != nil {
		return &JournalError{Path: path, Cause: err}
	}
	err = s.view("", func(tx *bolt.Tx) error {
		return j.scan(frames, func(f frame) error { return s.replay(tx, f) })
	})
	if err != nil {
		return errors.Join(&JournalError{Path: path, Cause: err}, j.f.Close())
	}
	s.journal, s.marking, s.left = j, marked, true
	return nil
}

// replay has a frame's requests wait to be merged again.
func (s *Store) replay(tx *bolt.Tx, f frame) error {
	list, err := parseRequests(f.requests)
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := s.resume(tx, r); err != nil {
			return err
		}
	}
	return nil
}

// resume has one request of a journal wait to be merged again, if it goes on from what the file and the requests before it have. Nobody reads the store yet.
func (s *Store) resume(tx *bolt.Tx, r *request) error {
	g := s.pending.Load()
	l := g.streams[r.stream]
	if l == nil || len(l.entries) == 0 {
		// A stream whose head is damaged refuses all; what waits for it is kept. Metadata do not say which version they go on from.
		if _, h, err := bucketsOf(tx).findSafely(r.stream); err == nil {
			r.base = h.version
		} else {
			r.base = r.expected
		}
		if l != nil {
			l.base = r.base
		}
	} else {
		r.base = l.base
	}
	version := r.base
	if l != nil {
		version = l.version()
	}
	if len(r.entries) > 0 && r.expected != version {
		return fmt.Errorf("an append to %q builds on version %d, and version %d is there", r.stream, r.expected, version)
	}
	g.add([]*request{r})
	return nil
}

// JournalError is returned by [Open] when a file says that there are appends in the journal beside it, and that is missing, not the one, or damaged. Nothing was
// changed. [Salvage] is the way on if the right journal is not to be had.
type JournalError struct {
	// Path is that of the store's file; the journal is at [JournalPath] of it.
	Path string
	// Cause is what is wrong.
	Cause error
}

// Error says what is wrong and what can be done.
func (e *JournalError) Error() string {
	if errors.Is(e.Cause, errNoFile) {
		return fmt.Sprintf("event store %s is not made, since %s is there: %v. Put the file back beside it, or move it away", e.Path, JournalPath(e.Path), e.Cause)
	}
	return fmt.Sprintf("event store %s cannot be opened with its journal %s: %v. Nothing was changed. Put the right journal beside the file, or restore a backup; "+
		"`warledger admin salvage --db %s` shows what can be saved without", e.Path, JournalPath(e.Path), e.Cause, e.Path)
}

// Unwrap returns what is wrong.
func (e *JournalError) Unwrap() error { return e.Cause }

// there reports whether there is a file.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// setAside gives a journal that lies where a new one will be made another name, if it has appends that this store did not merge: it is that of a store whose file
// was taken away or written over, and may be all that is left of them.
func setAside(path string, former journalID) error {
	own, frames, err := whose(path, former)
	if err != nil || own || !frames {
		return err
	}
	return os.Rename(path, asideName(path))
}

// removeMerged removes a journal that its store has merged.
func removeMerged(path string, former journalID) error {
	own, _, err := whose(path, former)
	if err == nil && own {
		err = os.Remove(path)
	}
	return err
}

// whose looks at the beginning of what lies at a journal's place, if anything does: whether its id is that of a store's former journal, and whether there were ever
// frames in it.
func whose(path string, former journalID) (own, frames bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	begin := make([]byte, journalHeader+frameHeader)
	n, err := io.ReadFull(f, begin)
	if err = cmp.Or(f.Close(), err); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, false, err
	}
	begin = begin[:n]
	own = former != journalID{} && checkHeader(begin, former) == nil
	return own, n == journalHeader+frameHeader && !allZero(begin[journalHeader:]), nil
}

// asideName is a new name beside a journal's.
func asideName(path string) string {
	return path + ".aside-" + time.Now().UTC().Format("20060102T150405.000000000")
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
