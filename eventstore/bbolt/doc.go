// Package boltstore keeps an event store in one bbolt file. It is the default engine: nothing to set up, safe to
// kill, and many streams share one sync.
//
// # How it writes
//
// One goroutine at a time writes. It takes whatever appends wait in the queue, checks and applies each in one bbolt
// transaction, commits once, and only then answers. An append that is refused writes nothing and does not disturb the
// others of its batch. The more callers wait, the more one sync serves. A caller that finds nobody writing, and whose context cannot end,
// writes in its own goroutine; the others leave it to the store's.
//
// bbolt makes a transaction visible a moment before it is durable. Until the commit has returned, reads of the
// streams in it are held back to the versions from before it (gate.go). When a commit fails after it became visible, its
// fate is open: its appends get [eventstore.ErrUncertain], and the next batch first makes sure of what the file holds.
//
// # The file
//
// Flat buckets, so that a hundred thousand streams cost a hundred thousand small records and no more:
//
//	format   "magic", "version"
//	names    stream name         -> checksum, stream id; the bucket's sequence is the last id given
//	log      stream id, version  -> checksum, beginning of the previous hash, hash, key, data
//	         stream id, ff...fe  -> checksum, metadata
//	         stream id, ff...ff  -> checksum, last version, indexed version, last hash: the head
//	index    stream id, key      -> checksum, version; for the versions up to the indexed one
//
// Ids and versions are 8 bytes, big-endian, in places, and without leading zeros in values. A key that is a UUID is packed into 16 bytes. An entry's previous hash is
// that of the entry before; its first 4 bytes are repeated so that a check finds an entry that follows another one. Each checksum also covers what the record is and whose, so a
// record in another's place is found out. Metadata and head lie beside the last entry, so that an append writes one page of the log.
//
// Format 1 had the metadata in a bucket of their own, and formats 1 and 2 the index in the bucket "keys", with UUIDs as text; such a file is brought up to date when
// it is opened to be written. The entries of these formats, with whole previous hashes and UUIDs as text, stay as they are and are told by their checksums.
//
// # Caveats
//
//   - Backup holds a bbolt read transaction for as long as its writer takes: give it a local file.
//   - The file does not shrink. Pages that a commit replaced are used again by later ones.
//   - The file must be on a local file system with working locks; one process at a time can write it.
//   - A file that another program truncates while it is open makes reads fail with [eventstore.CorruptError].
package boltstore
