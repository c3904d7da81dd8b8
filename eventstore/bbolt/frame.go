package boltstore

import (
	"encoding/binary"
	"errors"
	"hash/crc32"

	"github.com/warledger/warledger/eventstore"
)

// A frame is what one commit writes to the journal: a header, the requests that it stores, and zeros up to the next block. No block is written again before all that
// the journal holds has been merged, so nothing that was acknowledged can be torn by what is written later.
const (
	// block is what a disk writes whole, in bytes.
	block = 512
	// frameHeader is the size of a frame's header: mark, length of the requests, checksum, epoch, number.
	frameHeader = 4 + 4 + 4 + 8 + 8
	frameMark   = 0x574c4a46
)

var errFrame = errors.New("the frame's requests do not decode")

// frame is one that was read.
type frame struct {
	number   uint64
	requests []byte
	size     int // with header and zeros
}

// padded is the size of a frame with so many bytes of requests.
func padded(requests int) int { return (frameHeader + requests + block - 1) / block * block }

// frameChecksum covers the journal's id, so that no frame of another journal passes, and no bytes that a caller chose to look like one.
func frameChecksum(id journalID, epoch, number uint64, requests []byte) uint32 {
	sum := crc32.Update(0, castagnoli, id[:])
	sum = crc32.Update(sum, castagnoli, binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(make([]byte, 0, 16), epoch), number))
	return crc32.Update(sum, castagnoli, requests)
}

// appendFrame adds a frame of requests to buf.
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

// readFrame reads the frame that data begins with; ok is false if that is none of the journal's epoch, or not a whole one.
func readFrame(data []byte, id journalID, epoch uint64) (f frame, ok bool) {
	if len(data) < frameHeader || binary.BigEndian.Uint32(data) != frameMark || binary.BigEndian.Uint64(data[12:]) != epoch {
		return frame{}, false
	}
	length := binary.BigEndian.Uint32(data[4:])
	if uint64(length) > uint64(len(data)-frameHeader) {
		return frame{}, false
	}
	n := int(length)
	f = frame{number: binary.BigEndian.Uint64(data[20:]), requests: data[frameHeader : frameHeader+n], size: padded(n)}
	return f, frameChecksum(id, epoch, f.number, f.requests) == binary.BigEndian.Uint32(data[8:])
}

// appendTo adds a request to a frame: stream, version that it builds on, metadata if any, entries as they will lie in the log.
func (r *request) appendTo(buf []byte) []byte {
	buf = appendBytes(buf, []byte(r.stream))
	buf = binary.AppendUvarint(buf, r.expected)
	buf = binary.AppendUvarint(buf, uint64(len(r.entries)))
	for _, e := range r.entries {
		buf = appendBytes(buf, e.value)
	}
	if r.meta == nil {
		return append(buf, 0)
	}
	return appendBytes(append(buf, 1), r.meta)
}

func appendBytes(buf, b []byte) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(b))), b...)
}

// parseRequests reads the requests of a frame. Their values lie in it.
func parseRequests(data []byte) (list []*request, err error) {
	c := cutter{rest: data}
	for len(c.rest) > 0 {
		r := &request{stream: string(c.bytes()), expected: c.number()}
		n := c.number()
		for version := r.expected + 1; n > 0 && c.err == nil; version, n = version+1, n-1 {
			value := c.bytes()
			if c.err != nil {
				break
			}
			p, err := splitEntry(r.stream, version, value)
			if err != nil {
				return nil, errors.Join(errFrame, err)
			}
			r.entries = append(r.entries, record{p.keyText(), value})
			r.head = head{version: version, hash: eventstore.Hash(p.hash)}
			r.size += len(p.data)
		}
		switch c.one() {
		case 0:
		case 1:
			r.meta = c.bytes()
		default:
			c.err = errFrame
		}
		if c.err == nil && eventstore.CheckName(r.stream) != nil || c.err == nil && r.meta == nil && len(r.entries) == 0 {
			c.err = errFrame
		}
		if c.err != nil {
			return nil, c.err
		}
		list = append(list, r)
	}
	return list, nil
}

// cutter cuts values off the beginning of bytes. After an error all that it gives is zero.
type cutter struct {
	rest []byte
	err  error
}

func (c *cutter) number() uint64 {
	n, size := binary.Uvarint(c.rest)
	if size <= 0 {
		c.rest, c.err = nil, errFrame
		return 0
	}
	c.rest = c.rest[size:]
	return n
}

func (c *cutter) bytes() []byte {
	n := c.number()
	if n > uint64(len(c.rest)) {
		c.rest, c.err = nil, errFrame
		return nil
	}
	b := c.rest[:n:n]
	c.rest = c.rest[n:]
	return b
}

func (c *cutter) one() byte {
	if len(c.rest) == 0 {
		c.err = errFrame
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
}
