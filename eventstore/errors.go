package eventstore

import (
	"errors"
	"fmt"
)

// Errors of any call.
var (
	// ErrClosed is returned by every call after Close, and by calls that Close interrupted.
	ErrClosed = errors.New("event store is closed")
	// ErrNotFound is returned, wrapped with the name, when the stream does not exist.
	ErrNotFound = errors.New("stream not found")
)

// ErrLocked is returned, wrapped with the place, when another process has the store open.
var ErrLocked = errors.New("event store is in use by another process")

// Errors of writing, when the store itself is in trouble. It can still be read. Writing succeeds again once the cause
// is gone, unless the error also is [ErrStopped]. The system's own error is wrapped too.
var (
	// ErrFull says that the disk, a quota or the configured size is full.
	ErrFull = errors.New("event store is full")
	// ErrIO says that the device or file system refused a write or a sync.
	ErrIO = errors.New("event store cannot be written")
	// ErrReadOnly says that the store was opened to be read, or lies where nothing may be written.
	ErrReadOnly = errors.New("event store is read-only")
	// ErrStopped says that the store writes nothing more until it is opened again. A write or a sync has failed, so
	// nobody knows what the device holds; or a part of what it holds is damaged. It accompanies the cause. Reads go
	// on.
	ErrStopped = errors.New("event store has stopped writing until it is opened again")
	// ErrUncertain accompanies another error when the append may have been stored. Repeat it with the same keys.
	ErrUncertain = errors.New("append may or may not have been stored")
)

// FormatError is returned when a file cannot be opened because of what it holds.
type FormatError struct {
	// Path of the file.
	Path string
	// Found is the format version of the file, 0 when it is no event store; Known is the newest
	// that this program reads.
	Found, Known uint32
	// Cause, if not nil, is what the engine said.
	Cause error
}

// Error says whether the file is foreign or too new.
func (e *FormatError) Error() string {
	if e.Found != 0 {
		return fmt.Sprintf("event store %s has format %d, and this program reads formats up to %d: use a newer program",
			e.Path, e.Found, e.Known)
	}
	if e.Cause != nil {
		return fmt.Sprintf("%s is not an event store: %v", e.Path, e.Cause)
	}
	return fmt.Sprintf("%s is not an event store", e.Path)
}

// Unwrap returns what the engine said.
func (e *FormatError) Unwrap() error { return e.Cause }

// InvalidError is returned for an argument out of range. Nothing was done.
type InvalidError struct {
	// What names the argument, such as "stream name".
	What string
	// Problem says what is wrong with it and what is allowed.
	Problem string
}

// Error names the argument and its problem.
func (e *InvalidError) Error() string { return "invalid " + e.What + ": " + e.Problem }

// ConflictError is returned when the stream is not at the version that an append expected. Nothing was stored.
type ConflictError struct {
	Stream            string
	Expected, Current uint64
}

// Error names the stream and both versions.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("stream %q is at version %d, expected %d", e.Stream, e.Current, e.Expected)
}

// MetaConflictError is returned when the metadata are not of the version that a change of them was made from. Nothing
// was stored, nor were the entries that came with the change.
type MetaConflictError struct {
	Stream            string
	Expected, Current uint64
}

// Error names the stream and both metadata versions.
func (e *MetaConflictError) Error() string {
	return fmt.Sprintf("stream %q has metadata of version %d, expected %d", e.Stream, e.Current, e.Expected)
}

// KeyUsedError is returned when an entry of the stream already has the key. Nothing was stored.
type KeyUsedError struct {
	Stream, Key string
	// Version is that of the entry that has the key.
	Version uint64
}

// Error names the stream, the key and the version that has it.
func (e *KeyUsedError) Error() string {
	return fmt.Sprintf("stream %q has key %q already, at version %d", e.Stream, e.Key, e.Version)
}

// LinkError is returned when an entry's Prev is not the hash of the entry before. Nothing was stored.
type LinkError struct {
	Stream string
	// Version is the one that the entry would have got.
	Version uint64
	// Prev is what the entry said, Want what it had to be.
	Prev, Want Hash
}

// Error names the entry and the start of both hashes.
func (e *LinkError) Error() string {
	return fmt.Sprintf("stream %q version %d: previous hash is %x..., expected %x...",
		e.Stream, e.Version, e.Prev[:4], e.Want[:4])
}

// CorruptError is returned when something stored cannot be trusted.
type CorruptError struct {
	Stream string
	// Version is that of the entry at fault, 0 when it is the stream as a whole.
	Version uint64
	What    string
}

// Error names the place and the finding.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("event store is corrupt: stream %q version %d: %s", e.Stream, e.Version, e.What)
}
