package eventstore

import "math"

// Hash is a link of a chain. The store compares hashes and never computes one.
type Hash = [32]byte

// Entry is one link of a stream's chain.
type Entry struct {
	// Version is the entry's number in its stream, from 1 and without a gap. In an append it may be left 0, and is
	// then the next version; any other value must be the one that the entry would get.
	Version uint64
	// Key is the idempotency key: unique in its stream for ever, at most [MaxKey] bytes; "" is no key.
	Key string
	// Prev is the Hash of the entry before, all zeros in version 1. An append checks it.
	Prev Hash
	// Hash is what the next entry's Prev must be.
	Hash Hash
	// Data is the content, at most [MaxData] bytes. It may be empty; a read returns empty as nil.
	Data []byte
}

// Append asks for entries at the end of one stream, all of them or none.
type Append struct {
	// Stream is the name of the stream: see [CheckName].
	Stream string
	// Expected is the version that the stream must have; 0 says that it must not exist yet.
	Expected uint64
	// Entries holds at least one entry and at most [MaxEntries], at most [MaxAppend] bytes of data together.
	Entries []Entry
	// Meta, unless nil, replaces the stream's metadata in the same transaction; at most [MaxMeta] bytes.
	Meta []byte
	// MetaExpected is the metadata version that Meta was made from, 0 if none were set, or [AnyMeta]. It is
	// ignored where Meta is nil.
	MetaExpected uint64
}

// AnyMeta, as the metadata version that is expected, replaces whatever metadata are there.
const AnyMeta = math.MaxUint64

// StreamInfo is what the store knows of a stream besides its entries.
type StreamInfo struct {
	Name string
	// Version is that of the last entry, at least 1.
	Version uint64
	// Hash is that of the last entry: the Prev of the next.
	Hash Hash
	// Meta is the metadata last set; nil when none or empty.
	Meta []byte
	// MetaVersion is how often the metadata were set; 0 for never. Setting them to nothing counts too.
	MetaVersion uint64
}

// Mark returns how far the stream has come.
func (i StreamInfo) Mark() Mark { return Mark{Version: i.Version, Meta: i.MetaVersion} }

// Mark is how far a stream has come: the version of its last entry and the version of its metadata. The mark of a
// stream that does not exist is zero.
type Mark struct{ Version, Meta uint64 }

// Passes reports whether the stream has come further than another mark, in its entries or in its metadata.
func (m Mark) Passes(other Mark) bool { return m.Version > other.Version || m.Meta > other.Meta }

// Page is a part of a stream and the stream's head, all of one moment.
type Page struct {
	Entries []Entry
	Head    StreamInfo
}
