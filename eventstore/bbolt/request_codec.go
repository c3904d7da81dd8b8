package boltstore

import (
	"encoding/binary"
	"errors"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/internal/cutter"
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
	c := cutter.Reader{Rest: data, Short: errRequests}
	for len(c.Rest) > 0 {
		r := &request{stream: string(c.Bytes()), expected: c.Number()}
		n := c.Number()
		for version := r.expected + 1; n > 0 && c.Err == nil; version, n = version+1, n-1 {
			value := c.Bytes()
			if c.Err != nil {
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
		switch c.Byte() {
		case 0:
		case 1:
			r.meta = c.Bytes()
		default:
			c.Err = errRequests
		}
		if c.Err == nil && eventstore.CheckName(r.stream) != nil ||
			c.Err == nil && r.meta == nil && len(r.entries) == 0 {
			c.Err = errRequests
		}
		if c.Err != nil {
			if eventstore.CheckName(r.stream) == nil {
				list = append(list, r)
			}
			return list, c.Err
		}
		list = append(list, r)
		if r.metaVersion, _, err = splitMeta(r.stream, r.meta); err != nil {
			return list, errors.Join(errRequests, err)
		}
	}
	return list, nil
}
