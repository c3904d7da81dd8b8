package eventstore

import (
	"context"
	"io"
	"time"
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
	// has gives a [KeyUsedError], whatever version was expected; then an unexpected version gives a [ConflictError],
	// then metadata made from another version than is there a [MetaConflictError], and then a Prev that does not fit a
	// [LinkError]. After these nothing was stored. [ErrFull], [ErrIO] and [ErrReadOnly] say that the store can be read
	// but at present not written, and [ErrStopped] with one of them that it is not written any more until it is opened
	// anew. An error that also is [ErrUncertain], among them a context that ended while the append was being written,
	// leaves open whether it was stored.
	Append(ctx context.Context, a Append) error

	// SetMeta replaces the metadata of a stream, at most [MaxMeta] bytes, if their version is the one expected or
	// that is [AnyMeta]; otherwise it returns a [MetaConflictError]. So of several changes made from one version one
	// wins. The other errors are those of Append. After an [ErrUncertain] the metadata version tells only whether
	// anybody has set them.
	SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error

	// Lookup returns the version of the entry that carries the key. A stream or key that does not exist is no error:
	// found is false.
	Lookup(ctx context.Context, stream, key string) (version uint64, found bool, err error)

	// Read returns a page of entries in ascending order, starting with version from (0 means 1): at most limit entries
	// with at most maxBytes of data together, but always at least one where there is one. A page that starts past the
	// end is empty. The entries are copies; nothing stays open.
	Read(ctx context.Context, stream string, from uint64, limit, maxBytes int) ([]Entry, error)

	// ReadAt returns a page of entries, as Read does, together with the head of the same moment: what a fold of the
	// entries up to the head's version must be put together with.
	ReadAt(ctx context.Context, stream string, from uint64, limit, maxBytes int) (Page, error)

	// Head returns the last version, its hash, the metadata and their version.
	Head(ctx context.Context, stream string) (StreamInfo, error)

	// Wait blocks until the stream has come further than after, in its entries or in its metadata, and returns how
	// far it has come. The mark of a stream that does not exist is zero, so its creation can be waited for. It
	// says only how far the stream is; entries and metadata are read with ReadAt. It ends early with the context's
	// error or with ErrClosed.
	Wait(ctx context.Context, stream string, after Mark) (Mark, error)

	// List returns the streams whose names start with prefix and come after the name given ("" for the first page), at
	// most limit of them, in byte order of their names. An empty page is the end. A page stops before a stream that is
	// corrupt; where that is the first, its CorruptError names it, and one can go on after it.
	List(ctx context.Context, prefix, after string, limit int) ([]StreamInfo, error)

	// Count returns how many streams have a name that starts with prefix, those that are corrupt among them.
	Count(ctx context.Context, prefix string) (uint64, error)

	// Now returns the time by the store's clock, which all who share the store read alike. The clock of a store that
	// one process has to itself is that of the process.
	Now(ctx context.Context) (time.Time, error)

	// Shared reports whether others may write the store at the same time, so that what was read may have changed
	// without a write of one's own.
	Shared() bool

	// Snapshot opens a view of the whole store as of one moment. Appends go on meanwhile; what they replace is kept
	// until the snapshot is closed, so a store's file can grow.
	Snapshot(ctx context.Context) (Snapshot, error)

	// Backup writes a copy of the whole store as of one moment, in the engine's own format, and returns the number of
	// bytes. Appends go on meanwhile. Package dump writes a copy that any engine reads.
	// A slow w can make the store's file grow, since nothing that the copy still needs is reused.
	Backup(ctx context.Context, w io.Writer) (int64, error)

	// Check examines everything stored: each chain's versions, checksums and links, the index of keys in both
	// directions, the heads, and with verify (which may be nil) the caller's own view of each entry's content. Each
	// fault is passed to report (which may be nil) and counted; faults are not an error of Check. Both functions are
	// called from the calling goroutine, with nothing locked. Appends go on meanwhile; what is appended during the
	// check may be left out.
	Check(ctx context.Context, verify func(stream string, e Entry) error, report func(Fault)) (CheckReport, error)

	// Stats returns figures counted since the store was opened.
	Stats() Stats

	// Close ends all waiting, lets what is being written finish, closes the snapshots, and releases the store. Appends
	// that had not begun get ErrClosed. A second Close returns nil.
	Close() error
}

// Snapshot is a store as of one moment, to be read. Its methods return what those of [Store] would have returned then,
// and [ErrClosed] once the snapshot or the store is closed. They may be called at once from many goroutines.
type Snapshot interface {
	// List is as [Store.List].
	List(ctx context.Context, prefix, after string, limit int) ([]StreamInfo, error)

	// ReadAt is as [Store.ReadAt].
	ReadAt(ctx context.Context, stream string, from uint64, limit, maxBytes int) (Page, error)

	// Close lets go of what is kept for the snapshot. A second Close returns nil.
	Close() error
}
