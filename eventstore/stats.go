package eventstore

import "time"

// Stats are figures counted since the store was opened. They only grow, except where noted.
type Stats struct {
	// Appends were stored, Entries with them, and Bytes of data with those.
	Appends, Entries, Bytes uint64
	// Refused appends and changes of metadata had a used key, a version or metadata version not expected, a link that
	// did not fit, or no stream.
	Refused uint64
	// Batches were committed, FailedBatches could not be.
	Batches, FailedBatches uint64
	// LargestBatch is the most appends that one commit served.
	LargestBatch uint64
	// CommitTime is the time spent in commits, syncs included.
	CommitTime time.Duration
	// Waiting calls of Wait at present; it falls as well as rises.
	Waiting uint64
}

// Batch describes one commit to an observer, such as one that feeds a histogram.
type Batch struct {
	// Appends and Entries of the batch that were stored, and the bytes of their data. Changes of metadata alone
	// count as neither.
	Appends, Entries, Bytes int
	// Commit is how long the commit took, syncs included; Write is the part of it that the device
	// took: writing and syncing.
	Commit, Write time.Duration
	// Err is why the commit failed, else nil.
	Err error
}
