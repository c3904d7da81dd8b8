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
	if start < c.end && c.buf[start] < 0x80 { // most
		c.at++
		return uint64(c.buf[start])
	}
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
		if b == 0 { // not the first byte: that was returned above
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

// maybeVarint reads a number that is left out if it is 0.
func (c *cursor) maybeVarint(tag byte) uint64 {
	if !c.has(tag) {
		return 0
	}
	return c.varint(tag, "a number")
}

// bytes reads a field that is not empty.
func (c *cursor) bytes(tag byte, what string) []byte {
	from := c.skip(tag, what)
	if c.err != nil {
		return nil
	}
	return c.buf[from:c.at:c.at]
}

// maybeBytes reads a field that is left out if it is empty.
func (c *cursor) maybeBytes(tag byte) []byte {
	if !c.has(tag) {
		return nil
	}
	return c.bytes(tag, "a text")
}

// sub is a cursor over a field that is not empty.
func (c *cursor) sub(tag byte, what string) cursor {
	from := c.skip(tag, what)
	if c.err != nil {
		return cursor{}
	}
	return cursor{buf: c.buf, at: from, end: c.at}
}

// skip goes past a field that is not empty and says where its contents begin.
func (c *cursor) skip(tag byte, what string) (from int) {
	if !c.expect(tag, what) {
		return 0
	}
	n := c.uvarint(what)
	switch {
	case c.err != nil:
	case n == 0:
		c.fail("%s is empty", what)
	case n > uint64(c.end-c.at):
		c.fail("%s has %d bytes, only %d are left", what, n, c.end-c.at)
	default:
		from = c.at
		c.at += int(n)
	}
	return from
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
