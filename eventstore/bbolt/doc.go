// Package boltstore keeps an event store in a bbolt file, with a journal beside it while it is open. It is the default engine: nothing to set up, safe to
// kill, and many streams share one sync.
//
// # How it writes
//
// One goroutine at a time writes. It takes whatever appends wait in the queue, judges each, writes those that can be stored to the end of
// the journal in one frame, syncs once, and only then shows and answers them. An append that is refused writes nothing and does not disturb the
// others of its batch. The more callers wait, the more one sync serves. A caller that finds nobody writing, and whose context cannot end,
// writes in its own goroutine; the others leave it to the store's.
//
// The journal is a file beside the store's, games.db.journal for games.db. A commit costs one write in one place and one sync, where bbolt alone writes a page or more for each stream and
// syncs twice. When it has grown to 4 MiB, what it holds is merged into the bbolt file in one transaction, which also says that its frames are void from then on (by a
// number, the epoch, that each frame carries); by then most streams have several entries for each page that is written. Until it is merged, an append is in memory
// too, and reads put both together. A store that is closed has merged all and has no journal; one that was killed finds what is left of it when it is opened,
// drops a last frame that was torn, and goes on. First it makes durable what it found: the one that died may have written it and not synced it.
// A frame that is damaged before others that are whole was acknowledged: such a journal is not opened, and what is whole of it can be had by [Salvage]. A journal whose store's file was taken away or
// written over is never written over in its turn; it gets another name.
//
// When a sync fails after a frame was written, its fate is open: its appends get [eventstore.ErrUncertain], nobody sees them, and the next batch first writes and
// syncs that frame again. A merge that fails changes nothing, and is tried again by the next append; where its last sync failed, no append is answered before the file is known to hold it. A stream that is damaged in the file hinders no merge: what waits for it is kept apart, in the
// bucket "stranded", and a check tells of it.
//
// # The file
//
// Flat buckets, so that a hundred thousand streams cost a hundred thousand small records and no more:
//
//	format   "magic", "version", "journal": whether there is one, its id, its epoch
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
// The journal begins with its own magic words and the id, and has frames of whole blocks of 512 bytes: length, checksum (which covers the id), epoch, number, requests.
//
// Format 1 had the metadata in a bucket of their own, and formats 1 and 2 the index in the bucket "keys", with UUIDs as text; such a file is brought up to date when
// it is opened to be written. Formats 1 to 3 had no journal. The entries of these formats, with whole previous hashes and UUIDs as text, stay as they are and are told by their checksums.
//
// # Caveats
//
//   - Who copies the file of a store that is open or was killed must copy the journal with it; a file without its journal is refused. Take a backup, or close the store.
//   - The journal lies beside the path that was opened: reach a store by one path, not also through a symbolic link elsewhere.
//   - The very last frame, if it is damaged after it was acknowledged and before it is merged, passes for one that was torn.
//   - Backup holds a bbolt read transaction for as long as its writer takes: give it a local file.
//   - The file does not shrink. Pages that a merge replaced are used again by later ones.
//   - The file must be on a local file system with working locks; one process at a time can write it.
//   - A file that another program truncates while it is open makes reads fail with [eventstore.CorruptError].
package boltstore
