package ledger

import (
	"fmt"
	"math"
)

// cursor reads protobuf's wire format strictly. After the first error it stands still and gives zeros.
type cursor struct {
	buf     []byte
	at, end int
	err     error
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = &FormatError{c.at, fmt.Sprintf(format, args...)}
	}
}

// has reports whether a field with the tag is next.
func (c *cursor) has(tag byte) bool { return c.err == nil && c.at < c.end && c.buf[c.at] == tag }

func (c *cursor) expect(tag byte, what string) bool {
	if c.err == nil && !c.has(tag) {
		c.fail("expected %s (field %d)", what, tag>>3)
	}
	if c.err != nil {
		return false
	}
	c.at++
	return true
}

// uvarint reads a number that is written in as few bytes as it can be.
func (c *cursor) uvarint(what string) (v uint64) {
	start := c.at
	for shift := 0; c.at < c.end && shift < 70; shift += 7 {
		b := c.buf[c.at]
		c.at++
		if shift == 63 && b > 1 {
			break
		}
		v |= uint64(b&0x7f) << shift
		if b >= 0x80 {
			continue
		}
		if b == 0 && shift > 0 {
			break
		}
		return v
	}
	c.at = start
	c.fail("%s is no number in its shortest form", what)
	return 0
}

// varint reads a number other than 0, for defaults are left out.
func (c *cursor) varint(tag byte, what string) uint64 {
	if !c.expect(tag, what) {
		return 0
	}
	v := c.uvarint(what)
	if v == 0 {
		c.fail("%s is 0, which is never written", what)
	}
	return v
}

func (c *cursor) small(tag byte, what string) uint32 {
	v := c.varint(tag, what)
	if v > math.MaxUint32 {
		c.fail("%s is %d, more than 32 bits", what, v)
	}
	return uint32(v)
}

// bytes reads a field that is not empty.
func (c *cursor) bytes(tag byte, what string) []byte {
	s := c.sub(tag, what)
	return s.buf[s.at:s.end:s.end]
}

func (c *cursor) sub(tag byte, what string) cursor {
	if !c.expect(tag, what) {
		return cursor{}
	}
	n := c.uvarint(what)
	switch {
	case c.err != nil:
	case n == 0:
		c.fail("%s is empty", what)
	case n > uint64(c.end-c.at):
		c.fail("%s has %d bytes, only %d are left", what, n, c.end-c.at)
	}
	if c.err != nil {
		return cursor{}
	}
	s := cursor{buf: c.buf, at: c.at, end: c.at + int(n)}
	c.at = s.end
	return s
}

func (c *cursor) fixed(b []byte, size int, what string) {
	if c.err == nil && len(b) != size {
		c.fail("%s has %d bytes, expected %d", what, len(b), size)
	}
}

func (c *cursor) finish(what string) {
	if c.err == nil && c.at != c.end {
		c.fail("unexpected field %d in a %s", c.buf[c.at]>>3, what)
	}
}
