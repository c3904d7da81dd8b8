// Package cutter cuts values off the beginning of bytes, for decoders of what is stored.
package cutter

import "encoding/binary"

// Reader cuts values off the beginning of bytes. After an error it returns only zero values.
type Reader struct {
	// Rest is what has not been cut off, empty after an error.
	Rest []byte
	// Short is the error of bytes that end too early.
	Short error
	// Err is the first error.
	Err error
}

func (r *Reader) fail() {
	r.Rest = nil
	if r.Err == nil {
		r.Err = r.Short
	}
}

// Number cuts off a varint.
func (r *Reader) Number() uint64 {
	n, size := binary.Uvarint(r.Rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.Rest = r.Rest[size:]
	return n
}

// Take cuts off n bytes. They are those of the input, and appending to them copies.
func (r *Reader) Take(n uint64) []byte {
	if n > uint64(len(r.Rest)) {
		r.fail()
		return nil
	}
	b := r.Rest[:n:n]
	r.Rest = r.Rest[n:]
	return b
}

// Bytes cuts off bytes with their number before them.
func (r *Reader) Bytes() []byte { return r.Take(r.Number()) }

// Byte cuts off one byte.
func (r *Reader) Byte() byte {
	b := r.Take(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}
