package boltstore

import (
	"encoding/binary"
	"errors"

	"github.com/warledger/warledger/eventstore"
)

var errRequests = errors.New("the appends do not decode")

// appendTo adds a request to the value of a commit: stream, the version that it builds on, entries as they will be
// stored in the log, and metadata if any.
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

// parseRequests reads the requests of a commit. Their values point into data. After an error the list has the requests
// before the fault, and the faulty one as far as its stream can be told.
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
				return append(list, r), errors.Join(errRequests, err)
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
			c.err = errRequests
		}
		if c.err == nil && eventstore.CheckName(r.stream) != nil || c.err == nil && r.meta == nil && len(r.entries) == 0 {
			c.err = errRequests
		}
		if c.err != nil {
			if eventstore.CheckName(r.stream) == nil {
				list = append(list, r)
			}
			return list, c.err
		}
		list = append(list, r)
		if r.metaVersion, _, err = splitMeta(r.stream, r.meta); err != nil {
			return list, errors.Join(errRequests, err)
		}
	}
	return list, nil
}

// cutter cuts values off the beginning of bytes. After an error it returns only zero values.
type cutter struct {
	rest []byte
	err  error
}

func (c *cutter) number() uint64 {
	n, size := binary.Uvarint(c.rest)
	if size <= 0 {
		c.rest, c.err = nil, errRequests
		return 0
	}
	c.rest = c.rest[size:]
	return n
}

func (c *cutter) bytes() []byte {
	n := c.number()
	if n > uint64(len(c.rest)) {
		c.rest, c.err = nil, errRequests
		return nil
	}
	b := c.rest[:n:n]
	c.rest = c.rest[n:]
	return b
}

func (c *cutter) one() byte {
	if len(c.rest) == 0 {
		c.err = errRequests
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
}
