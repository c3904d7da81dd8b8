package boltstore

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/warledger/warledger/eventstore/storetest"
)

// FuzzJournal gives the readers of a journal the bytes as they are, and once more as the requests of a frame under a
// right checksum. What they read is what is written.
func FuzzJournal(f *testing.F) {
	c := &storetest.Chain{Stream: "s"}
	one, two := c.Next("k", "data"), c.Next("0b8f5c1e-7d6a-4f0e-9a52-00000000abcd", "", "more")
	two.Meta = []byte("meta")
	requests := []*request{newAppend(&one), newAppend(&two), {stream: "t", meta: encodeOldMeta("t", nil)}}
	whole := appendFrame(nil, journalID{}, 1, 1, requests)
	f.Add([]byte{})
	f.Add(whole)
	f.Add(whole[frameHeader:])
	f.Add(bytes.TrimRight(whole[frameHeader:], "\x00"))
	f.Add(appendFrame(bytes.Clone(whole), journalID{}, 1, 2, requests[:1]))
	f.Add(appendFrame(make([]byte, block), journalID{}, 1, 2, requests[:1]))
	f.Add([]byte("\x01s\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add([]byte("\x01s\x00\x00\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		readAll(t, data)
		list, err := parseRequests(data)
		if err != nil {
			return
		}
		framed := appendFrame(nil, journalID{}, 1, 1, list)
		if len(framed)%block != 0 {
			t.Errorf("a frame of %d bytes", len(framed))
		}
		if n := readAll(t, framed); n != 1 {
			t.Errorf("%d frames, want 1", n)
		}
		repeated, err := parseRequests(framed[frameHeader : frameHeader+len(appendRequests(nil, list))])
		if err != nil || len(repeated) != len(list) {
			t.Fatalf("%d requests, %v, want %d", len(repeated), err, len(list))
		}
		for i, r := range list {
			same(t, r, repeated[i])
		}
	})
}

// appendFrame adds a frame of requests to buf, as programs of format 4 wrote it.
func appendFrame(buf []byte, id journalID, epoch, number uint64, requests []*request) []byte {
	start := len(buf)
	buf = append(buf, make([]byte, frameHeader)...)
	for _, r := range requests {
		buf = r.appendTo(buf)
	}
	body := buf[start+frameHeader:]
	h := buf[start:]
	binary.BigEndian.PutUint32(h, frameMark)
	binary.BigEndian.PutUint32(h[4:], uint32(len(body)))
	binary.BigEndian.PutUint32(h[8:], frameChecksum(id, epoch, number, body))
	binary.BigEndian.PutUint64(h[12:], epoch)
	binary.BigEndian.PutUint64(h[20:], number)
	return append(buf, make([]byte, padded(len(body))-frameHeader-len(body))...)
}

// journalOf is a journal with these frames, as programs of format 4 wrote it.
func journalOf(id journalID, frames []byte) []byte {
	h := append(make([]byte, 0, journalHeader+len(frames)), journalMagic...)
	h = binary.BigEndian.AppendUint32(h, journalLayout)
	h = append(h, id[:]...)
	h = binary.BigEndian.AppendUint32(h, frameChecksum(id, 0, 0, h))
	return append(h[:journalHeader], frames...)
}

func appendRequests(buf []byte, list []*request) []byte {
	for _, r := range list {
		buf = r.appendTo(buf)
	}
	return buf
}

// readAll reads a journal of epoch 1 and says how many frames wait in it.
func readAll(t *testing.T, frames []byte) int {
	t.Helper()
	all := journalOf(journalID{}, frames)
	waiting, err := waitingIn(all, journalState{used: true, epoch: 1}, func(*request) bool { return false })
	if err != nil {
		return 0
	}
	_ = isLeftOver(frames, func(*request) bool { return true })
	return len(waiting)
}

func same(t *testing.T, a, b *request) {
	if a.stream != b.stream || a.expected != b.expected || !bytes.Equal(a.meta, b.meta) ||
		(a.meta == nil) != (b.meta == nil) || len(a.entries) != len(b.entries) || a.head != b.head || a.size != b.size {
		t.Errorf("%+v comes back as %+v", a, b)
		return
	}
	for i := range a.entries {
		if a.entries[i].key != b.entries[i].key || !bytes.Equal(a.entries[i].value, b.entries[i].value) {
			t.Errorf("entry %d of %s comes back as another", i, a.stream)
		}
	}
}

// TestFramesBelongToTheirPlace reads a frame as if it were of another journal or epoch, and cut off.
func TestFramesBelongToTheirPlace(t *testing.T) {
	t.Parallel()
	a := (&storetest.Chain{Stream: "s"}).Next("k", "data")
	whole := appendFrame(nil, journalID{1}, 5, 7, []*request{newAppend(&a)})
	if f, ok := readFrame(whole, 0, journalID{1}); !ok || f.epoch != 5 || f.number != 7 || f.size != len(whole) ||
		len(whole)%block != 0 {
		t.Errorf("a frame comes back as %+v, %v", f, ok)
	}
	for name, ok := range map[string]bool{
		"other journal": second(readFrame(whole, 0, journalID{2})),
		"header alone":  second(readFrame(whole[:frameHeader], 0, journalID{1})),
		"cut":           second(readFrame(whole[:frameHeader+20], 0, journalID{1})),
		"moved":         second(readFrame(whole, 1, journalID{1})),
	} {
		if ok {
			t.Errorf("%s: accepted", name)
		}
	}
	for at := range frameHeader + 40 {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 0x10
		if _, ok := readFrame(flipped, 0, journalID{1}); ok {
			t.Errorf("accepted with byte %d flipped", at)
		}
	}
}

func second[T, U any](_ T, u U) U { return u }
