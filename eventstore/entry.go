package eventstore

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
}

// StreamInfo is what the store knows of a stream besides its entries.
type StreamInfo struct {
	Name string
	// Version is that of the last entry, at least 1.
	Version uint64
	// Hash is that of the last entry: the Prev of the next.
	Hash Hash
	// Meta is the metadata last set; nil when none or empty.
	Meta []byte
}
