// Package dump copies an event store into a file that every engine writes and reads, to move it from one engine to
// another or to keep it.
//
// # What is kept
//
// A dump holds the store as of one moment: all streams with their names, entries (versions, keys, hashes, data) and
// metadata. Restored streams have the same heads, and their keys are used up as before. Metadata versions are in the
// dump, but a restored stream counts its own: it says 0 if the metadata were never set, as the dumped one did, and
// otherwise counts how often they were set in the new store.
//
// # The file
//
// A file is a header and blocks. All numbers are big-endian, or varints where the text says so.
//
//	header   "warledger event store dump\n", number of the format (4 bytes)
//	block    kind (1 byte), length of the content (4 bytes), content,
//	         SHA-256 of all before in the file but the sums of other blocks (32 bytes)
//
//	S   a stream: length of the name (varint), name, version of the last entry (varint), metadata version (varint),
//	    metadata
//	E   the next entries of the stream: their number (varint); for each the length of the key (varint), key,
//	    hash (32 bytes), length of the data (varint), data
//	T   the trailer: number of streams, of entries, and of bytes of data (varints)
//
// Streams come in byte order of their names, each followed by all of its entries from version 1. The hash before an
// entry is that of the entry before. The trailer is the last block, and the file ends with it. A block of entries is
// appended as a whole: it has at most 1,000 entries with at most 32 MiB of data.
//
// Every block has its own sum, so nothing is stored of a block that was changed. The sums find accidents. A forger can
// make new ones; the chains of hashes and a check with the caller's verification are what finds those.
package dump

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"

	"github.com/warledger/warledger/eventstore"
)

// Errors of [Read], wrapped with the place. The first four are about the dump, the last about the store.
var (
	// ErrForeign says that the file is not a dump.
	ErrForeign = errors.New("not a dump of an event store")
	// ErrNewer says that the dump has a format which this program does not know.
	ErrNewer = errors.New("the dump has a newer format: use a newer program")
	// ErrTruncated says that the file ends before the dump does.
	ErrTruncated = errors.New("the dump is cut off")
	// ErrDamaged says that the file was changed, or never was a sound dump.
	ErrDamaged = errors.New("the dump is damaged")
	// ErrOther says that the store holds something that the dump does not.
	ErrOther = errors.New("the store holds something that the dump does not")
)

// Report counts what a dump holds.
type Report struct {
	Streams, Entries uint64
	// Bytes is the sum of the entries' data.
	Bytes uint64
	// Stored is, after [Read], how many of the entries the store did not have before.
	Stored uint64
}

const (
	magic = "warledger event store dump\n"
	// format rises with each change that an older program would misread.
	format = 1

	kindStream  = 'S'
	kindEntries = 'E'
	kindTrailer = 'T'

	// blockEntries and blockBytes bound the entries of one block, which are one append of a restore.
	blockEntries = 1000
	blockBytes   = 32 << 20
	// maxContent is the most bytes that the content of a block has.
	maxContent = blockBytes + blockEntries*(eventstore.MaxKey+sha256.Size+4*binary.MaxVarintLen64)
)

// MagicSize is how many bytes a dump begins with that tell it from other files.
const MagicSize = len(magic)

// Is reports whether a file that begins so is a dump.
func Is(begin []byte) bool { return bytes.HasPrefix(begin, []byte(magic)) }

// sum is the running SHA-256 of a file.
type sum struct{ hash.Hash }

func newSum() sum {
	s := sum{sha256.New()}
	s.Write(header())
	return s
}

// block adds a block to the sum and returns the sum.
func (s sum) block(kind byte, content []byte) []byte {
	s.Write(blockHeader(kind, len(content)))
	s.Write(content)
	return s.Sum(nil)
}

func header() []byte { return binary.BigEndian.AppendUint32([]byte(magic), format) }

func blockHeader(kind byte, length int) []byte {
	return binary.BigEndian.AppendUint32([]byte{kind}, uint32(length))
}
