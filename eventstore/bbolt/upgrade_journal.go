package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// Format 4 had a journal beside the file, games.db.journal for games.db, to which commits were written first. A killed
// process left appends in it that the file does not have. The code in this file reads such a journal, so that an
// upgrade takes them over. Nothing writes one any more.

// journalID identifies the store of a journal.
type journalID [16]byte

// journalState is what a file of format 4 records about its journal.
type journalState struct {
	// used is true if there are, or may be, frames that are not merged.
	used bool
	id   journalID
	// epoch is the epoch of the frames that are not merged; those of earlier epochs are merged.
	epoch uint64
}

const (
	// block is where a frame may begin, in bytes.
	block = 512
	// journalHeader is the size of a journal's header: magic words, number of the layout, id, and a checksum.
	journalHeader = block
	journalLayout = 1
	// frameHeader is the size of a frame's header: mark, length of the requests, checksum, epoch, number.
	frameHeader = 4 + 4 + 4 + 8 + 8
	frameMark   = 0x574c4a46
)

var (
	formatJournal = []byte("journal")
	journalMagic  = []byte("warledger event store journal\n")

	errNoJournal      = errors.New("the journal, with appends that are not in the file yet, is missing")
	errNoFile         = errors.New("the journal has appends, but the file that it belongs to is missing")
	errForeignJournal = errors.New("the journal beside the file belongs to another store")
	errNewerJournal   = errors.New("the journal beside the file is newer than the file, or the file was damaged")
	errNotMerged      = errors.New("the journal beside the file has appends that the file does not have")
	errNotAJournal    = errors.New("the file with the journal's name is not a journal, or its beginning is damaged")
)

// journalPath is where the journal of a store of format 4 lay.
func journalPath(path string) string { return path + ".journal" }

// there reports whether there is a file.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// readJournalState reads what a file of format 4 records about its journal.
func readJournalState(tx *bolt.Tx) (journalState, error) {
	raw := tx.Bucket(bucketFormat).Get(formatJournal)
	if raw == nil {
		return journalState{}, nil
	}
	if len(raw) != 1+len(journalID{})+8 || raw[0] > 1 {
		return journalState{}, errLength
	}
	return journalState{raw[0] == 1, journalID(raw[1:17]), binary.BigEndian.Uint64(raw[17:])}, nil
}

// frame is what one commit wrote to a journal.
type frame struct {
	epoch, number uint64
	requests      []byte
	at, size      int // with header and zeros
}

// padded is the size of a frame with a number of bytes of requests.
func padded(requests int) int { return (frameHeader + requests + block - 1) / block * block }

// frameChecksum covers the journal's id, so that no frame of another journal passes.
func frameChecksum(id journalID, epoch, number uint64, requests []byte) uint32 {
	sum := crc32.Update(0, castagnoli, id[:])
	sum = crc32.Update(sum, castagnoli,
		binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(make([]byte, 0, 16), epoch), number))
	return crc32.Update(sum, castagnoli, requests)
}

// readFrame reads the frame that begins at a place; ok is false if there is no complete frame of this journal.
func readFrame(all []byte, at int, id journalID) (f frame, ok bool) {
	data := all[at:]
	if len(data) < frameHeader || binary.BigEndian.Uint32(data) != frameMark {
		return frame{}, false
	}
	length := binary.BigEndian.Uint32(data[4:])
	if uint64(length) > uint64(len(data)-frameHeader) {
		return frame{}, false
	}
	n := int(length)
	f = frame{
		epoch: binary.BigEndian.Uint64(data[12:]), number: binary.BigEndian.Uint64(data[20:]),
		requests: data[frameHeader : frameHeader+n], at: at, size: padded(n),
	}
	return f, frameChecksum(id, f.epoch, f.number, f.requests) == binary.BigEndian.Uint32(data[8:])
}

// readHeader returns the id of a journal from its header.
func readHeader(all []byte) (id journalID, err error) {
	if len(all) < journalHeader || !bytes.HasPrefix(all, journalMagic) {
		return id, errNotAJournal
	}
	h := all[len(journalMagic):]
	if n := binary.BigEndian.Uint32(h); n != journalLayout {
		return id, fmt.Errorf("the journal has layout %d, this program knows %d", n, journalLayout)
	}
	id = journalID(h[4:20])
	if binary.BigEndian.Uint32(h[20:]) != frameChecksum(id, 0, 0, all[:len(journalMagic)+20]) {
		return id, errNotAJournal
	}
	return id, nil
}

// wholeFrames returns all complete frames of a journal, in the order of their places, including those of former
// epochs.
func wholeFrames(all []byte, id journalID) (list []frame) {
	for at := journalHeader; at < len(all); {
		f, ok := readFrame(all, at, id)
		if !ok {
			at += block
			continue
		}
		list = append(list, f)
		at += f.size
	}
	return list
}

// waitingIn returns what a journal of format 4 holds that is not merged: the requests of each frame of the epoch, in
// order. The last frame may be torn, by a process that died while it wrote it; it is then ignored. A frame that is
// damaged before complete ones was acknowledged, so that is an error. So is any sign that file and journal are not of
// one time. merged reports whether a request is in the file.
func waitingIn(all []byte, st journalState, merged func(*request) bool) (waiting [][]*request, err error) {
	id, err := readHeader(all)
	if err == nil && id != st.id {
		err = errForeignJournal
	}
	if err != nil {
		return nil, err
	}
	place := journalHeader
	for _, f := range wholeFrames(all, id) {
		if f.epoch > st.epoch {
			return nil, errNewerJournal
		}
		list, err := parseRequests(f.requests)
		if err != nil { // its checksum is right, but no program writes such a frame
			return nil, fmt.Errorf("frame %d: %w", f.number, err)
		}
		if f.epoch < st.epoch {
			if err := allMerged(list, merged); err != nil {
				return nil, err
			}
			continue
		}
		if next := uint64(len(waiting)) + 1; f.number != next || f.at != place {
			return nil, fmt.Errorf("frame %d is damaged, but frame %d after it is complete", next, f.number)
		}
		place += f.size
		waiting = append(waiting, list)
	}
	return waiting, nil
}

func allMerged(list []*request, merged func(*request) bool) error {
	for _, r := range list {
		if !merged(r) {
			return fmt.Errorf("%w: one to %q", errNotMerged, r.stream)
		}
	}
	return nil
}

// isLeftOver returns an error unless everything in a journal is in the store.
func isLeftOver(all []byte, merged func(*request) bool) error {
	id, err := readHeader(all)
	if err != nil {
		if len(bytes.Trim(all, "\x00")) == 0 { // it was made and never written
			return nil
		}
		return err
	}
	for _, f := range wholeFrames(all, id) {
		list, err := parseRequests(f.requests)
		if err != nil {
			return fmt.Errorf("frame %d: %w", f.number, err)
		}
		if err := allMerged(list, merged); err != nil {
			return err
		}
	}
	return nil
}

// waitingJournal returns what waits in the journal beside a file. It is empty if the file is not of format 4, or says
// that nothing waits.
func waitingJournal(tx *bolt.Tx, path string) (waiting [][]*request, err error) {
	st, err := readState(tx)
	if err != nil || st.version >= recentFormat {
		return nil, err
	}
	js, err := readJournalState(tx)
	if err == nil {
		waiting, err = readWaiting(bucketsOf(tx), js, path)
	}
	if err != nil {
		return nil, &JournalError{Path: path, Cause: err}
	}
	return waiting, nil
}

func readWaiting(b buckets, js journalState, path string) (waiting [][]*request, err error) {
	all, err := os.ReadFile(journalPath(path))
	switch none := errors.Is(err, fs.ErrNotExist); {
	case none && js.used:
		return nil, errNoJournal
	case none:
		return nil, nil
	case err != nil:
		return nil, err
	case !js.used:
		return nil, isLeftOver(all, b.holds)
	}
	if waiting, err = waitingIn(all, js, b.holds); err == nil {
		err = goesOn(b, waiting)
	}
	return waiting, err
}

// goesOn returns an error unless each request goes on from the file and the requests before it. A stream with a
// damaged head refuses none: what waits for it is kept.
func goesOn(b buckets, waiting [][]*request) error {
	versions := make(map[string]uint64)
	for _, list := range waiting {
		for _, r := range list {
			version, seen := versions[r.stream]
			if !seen {
				version = r.expected
				if _, h, err := b.findSafely(r.stream); err == nil {
					version = h.version
				}
			}
			if len(r.entries) > 0 {
				if r.expected != version {
					return fmt.Errorf("an append to %q builds on version %d, but the stream is at version %d",
						r.stream, r.expected, version)
				}
				version += uint64(len(r.entries))
			}
			versions[r.stream] = version
		}
	}
	return nil
}

// settleJournal removes the journal beside a file once everything in it is in the store and durable there; otherwise
// it refuses the store. A store that may only be read keeps waiting appends in memory.
func (s *Store) settleJournal() error {
	if s.o.ReadOnly {
		return s.view("", func(tx *bolt.Tx) error {
			waiting, err := waitingJournal(tx, s.path)
			for _, list := range waiting {
				for _, r := range list {
					err = errors.Join(err, s.resume(tx, r, nil))
				}
			}
			return err
		})
	}
	path := journalPath(s.path)
	all, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = s.withBuckets("", func(b buckets) error { return isLeftOver(all, b.holds) })
	}
	if err != nil {
		return &JournalError{Path: s.path, Cause: err}
	}
	return errors.Join(os.Remove(path), syncDir(filepath.Dir(path)))
}

// JournalError is returned by [Open] when a journal of format 4 beside the file has appends that the file does not
// have. It is also returned when the file says that there is such a journal, and it is missing, of another store, or
// damaged. Nothing was changed.
type JournalError struct {
	// Path is that of the store's file; the journal lies beside it and has ".journal" after its name.
	Path string
	// Cause is what is wrong.
	Cause error
}

// Error says what is wrong and what can be done.
func (e *JournalError) Error() string {
	journal := journalPath(e.Path)
	if errors.Is(e.Cause, errNoFile) {
		return fmt.Sprintf(
			"event store %s is not made, since %s is there: %v. Put the file back beside it, or move it away", e.Path,
			journal, e.Cause,
		)
	}
	return fmt.Sprintf("event store %s cannot be opened with the journal %s of an older "+
		"program: %v. Nothing was changed. "+
		"Put the file and the journal that belong together here, or restore a backup; a journal that belongs to "+
		"another store can be moved away",
		e.Path, journal, e.Cause)
}

// Unwrap returns what is wrong.
func (e *JournalError) Unwrap() error { return e.Cause }
