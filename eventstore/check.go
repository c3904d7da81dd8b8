package eventstore

import "fmt"

// FaultKind says which of the store's promises an entry or stream broke.
type FaultKind string

// The kinds of faults.
const (
	// FaultChecksum is a value that does not decode, or whose checksum differs.
	FaultChecksum FaultKind = "checksum"
	// FaultGap is a version that is missing.
	FaultGap FaultKind = "gap"
	// FaultLink is a Prev that is not the Hash of the entry before.
	FaultLink FaultKind = "link"
	// FaultKey is a key without its place in the index, or a place in the index without its key.
	FaultKey FaultKind = "key"
	// FaultHead is a head that does not say what the last entry says.
	FaultHead FaultKind = "head"
	// FaultOrphan is something stored for a stream that does not exist, or a stream without entries.
	FaultOrphan FaultKind = "orphan"
	// FaultContent is an entry that the caller's own verification refused.
	FaultContent FaultKind = "content"
)

// Fault is one finding of [Store.Check].
type Fault struct {
	Kind FaultKind
	// Stream is the name of the stream, or "" when it cannot be told.
	Stream string
	// Version is that of the entry at fault, or 0 when it is the stream.
	Version uint64
	// What says what is wrong and what was expected.
	What string
}

// String returns the fault as one line.
func (f Fault) String() string {
	return fmt.Sprintf("stream %q version %d: %s: %s", f.Stream, f.Version, f.Kind, f.What)
}

// CheckReport is the count of what [Store.Check] has seen.
type CheckReport struct {
	Streams, Entries uint64
	// Bytes is the sum of the entries' data.
	Bytes uint64
	// Keys is the number of keys in the index.
	Keys   uint64
	Faults uint64
}
