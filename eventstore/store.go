package eventstore

import (
	"context"
	"io"
)

// Page sizes that [Store.Read] and [Store.List] use when they are asked for 0 or less.
const (
	// DefaultPage is a number of entries or of streams.
	DefaultPage = 1000
	// DefaultPageBytes is a number of bytes of data.
	DefaultPageBytes = 1 << 20
)

// Store is a log of many streams. All methods may be called at once from many goroutines.
//
// After Close every method returns [ErrClosed]. A method that got an ended context returns its error and does nothing;
// names, keys and sizes out of range give an [InvalidError]. A stream exists from its first append on; where a
// method needs one that does not exist it returns [ErrNotFound]. Anything stored that does not decode gives a
// [CorruptError] for the stream at fault, and no other stream suffers.
type Store interface {
	// Append stores the entries and, when it returns nil, they are durable. A key of the append that its stream already
	// has gives a [KeyUsedError], whatever version was expected; then an unexpected version gives a [ConflictError], and
	// then a Prev that does not fit a [LinkError]. After these nothing was stored. [ErrFull], [ErrIO] and [ErrReadOnly] say
	// that the store can be read but at present not written, and [ErrStopped] with one of them that it is not written any
	// more until it is opened anew. An error that also is [ErrUncertain], among them a context
	// that ended while the append was being written, leaves open whether it was stored.
	Append(ctx context.Context, a Append) error

	// SetMeta replaces the metadata of a stream, at most [MaxMeta] bytes; of two at once the later stays.
	SetMeta(ctx context.Context, stream string, meta []byte) error

	// Meta returns the metadata of a stream, nil when it has none.
	Meta(ctx context.Context, stream string) ([]byte, error)

	// Lookup returns the version of the entry that carries the key. A stream or key that does not exist is no error:
	// found is false.
	Lookup(ctx context.Context, stream, key string) (version uint64, found bool, err error)

	// Read returns a page of entries in ascending order, starting with version from (0 means 1): at most limit
	// entries with at most maxBytes of data together, but always at least one where there is one. A page that starts past the
	// end is empty. The entries are copies; nothing stays open.
	Read(ctx context.Context, stream string, from uint64, limit, maxBytes int) ([]Entry, error)

	// Head returns the last version, its hash and the metadata.
	Head(ctx context.Context, stream string) (StreamInfo, error)

	// Wait blocks until the stream's version is greater than after, and returns it. A stream that does not exist has
	// version 0, so its creation can be waited for. It says only what the version now is; entries are read with
	// Read. It ends early with the context's error or with ErrClosed.
	Wait(ctx context.Context, stream string, after uint64) (uint64, error)

	// List returns the streams whose names start with prefix and come after the name given ("" for the first page), at most
	// limit of them, in byte order of their names. An empty page is the end. A page stops before a stream that is
	// corrupt; where that is the first, its CorruptError names it, and one can go on after it.
	List(ctx context.Context, prefix, after string, limit int) ([]StreamInfo, error)

	// Backup writes a copy of the whole store as of one moment and returns the number of bytes. Appends go on meanwhile.
	// A slow w can make the store's file grow, since nothing that the copy still needs is reused.
	Backup(ctx context.Context, w io.Writer) (int64, error)

	// Check examines everything stored: each chain's versions, checksums and links, the index of keys in both directions,
	// the heads, and with verify (which may be nil) the caller's own view of each entry's content. Each fault
	// is passed to report (which may be nil) and counted; faults are not an error of Check. Both functions
	// are called from the calling goroutine, with nothing locked. Appends go on meanwhile; what is appended during the check may be left
	// out.
	Check(ctx context.Context, verify func(stream string, e Entry) error, report func(Fault)) (CheckReport, error)

	// Stats returns figures counted since the store was opened.
	Stats() Stats

	// Close ends all waiting, lets what is being written finish, and releases the store. Appends that had not begun
	// get ErrClosed. A second Close returns nil.
	Close() error
}
