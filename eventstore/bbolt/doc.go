// Package boltstore keeps an event store in one bbolt file. It is the default engine: nothing to set up, safe to kill,
// and many streams share one sync.
//
// # How it writes
//
// One goroutine at a time writes. It takes whatever appends wait in the queue, judges each, keeps those that can be
// stored in the file as one value, and only then shows and answers them. An append that is refused writes nothing and
// does not disturb the others of its batch. The more callers wait, the more one commit serves. A caller that finds
// nobody writing, and whose context cannot end, writes in its own goroutine; the others leave it to the store's.
//
// The values of commits lie in the bucket "recent", under their numbers: a commit so writes one place of the file,
// where the pages of its streams would be one or more for each. When 4 MiB are kept there, one transaction merges them
// into the streams and empties the bucket; by then most streams have several entries for each page that is written.
// Until it is merged an append is in memory too, and reads put both together. A store that is closed has merged all;
// one that was killed reads the bucket into memory when it is opened. All of it is one file and one kind of
// transaction: bbolt's.
//
// # When writing fails
//
// A process that died may have written what is in the file and not synced it. So the file is synced when it is opened
// to be written, before anything else: a page could be written over otherwise that the last durable state needs.
//
// A write or a sync that fails stops all writing until the store is opened anew ([eventstore.ErrStopped]): the system
// may have dropped pages and say at the next sync that all is well. Reads go on. The appends of a commit that is in the
// file and may not be durable get [eventstore.ErrUncertain] too. Nobody sees them before the store is opened anew. Only
// the want of room, found before any sync, passes: the append gets [eventstore.ErrFull], and writing succeeds again
// when there is room.
//
// A stream whose records are damaged hinders no merge: what waits for it is kept apart, in the bucket "stranded". A
// check tells of it, and the stream is neither shown nor written from then on, even if its records are mended:
// acknowledged entries would be missing. Where pages cannot be read during a commit or a merge, writing stops, since
// nobody knows what they hold. An append to such a stream, or a read of it, fails alone. Where a value that waits is
// damaged itself, the store opens and can be read but not written, and the streams that it was for are told as damaged.
//
// # The file
//
// Flat buckets, so that a hundred thousand streams cost a hundred thousand small records and no more:
//
//	format   "magic"; "version" of the format; "state" -> checksum, version, last commit merged, last stream id
//	recent   number of a commit  -> checksum, appends; the bucket's sequence is the last number
//	names    stream name         -> checksum, stream id; the bucket's sequence is the last id given
//	log      stream id, version  -> checksum, beginning of the previous hash, hash, key, data
//	         stream id, ff...fe  -> checksum, metadata version (varint), metadata
//	         stream id, ff...ff  -> checksum, last version, indexed version, last hash: the head
//	index    stream id, key      -> checksum, version; for the versions up to the indexed one
//
// Ids, numbers and versions are 8 bytes, big-endian, in places, and without leading zeros in values. A key that is a
// UUID is packed into 16 bytes. An entry's previous hash is that of the entry before; its first 4 bytes are repeated so
// that a check finds an entry that follows another one. Each checksum also covers what the record is and whose, so a
// record in another's place is found out. Metadata and head lie beside the last entry, so that they share its page.
//
// # Damaged pages
//
// bbolt trusts its pages, which have no checksums. So a file that shall be written is first opened to be read: the list
// of free pages is held against the pages in use, since bbolt would write over those, and all branches are looked at.
// That takes time with the number of branches, one page of sixteen in a file with many streams. A file that fails is
// refused, and can be opened to be read. Leaves are looked at when they are read or written: reads go down the trees
// themselves, with an end, and hold each page against what the page above says about it. A check looks at all pages.
//
// # Older formats
//
// A file of formats 1 to 5 is brought up to date when it is opened to be written; it may be killed at any moment of
// that. Format 1 had the metadata in a bucket of their own, and formats 1 and 2 the index in the bucket "keys", with
// UUIDs as text. Format 4 had a journal beside the file, games.db.journal, which a killed process left with appends
// that the file does not have: they are taken over in one transaction, and the journal is removed when all that it
// holds is durable in the file. A journal that is damaged, another store's, or newer than the file is left as it is,
// and the file is refused with a [JournalError]. Before format 6 metadata had no version: they count as version 1 until
// they are set again. Only the number of the format is changed for that. Entries of older formats, with whole previous
// hashes and UUIDs as text, stay as they are and are told by their checksums.
//
// # When the power fails
//
// Before anything is built on what Open found, that is made durable: the page that is in force is written once more,
// since the system may have forgotten it after a sync that failed; then the file is synced, and the folder, so that it
// keeps its name. The tests cut the power of recorded writers at any operation, keep any part of what was not synced,
// sector by sector, and look for each acknowledged append. CONTRIBUTING.md says how to make many such images.
//
// # Caveats
//
//   - Backup holds a bbolt read transaction for as long as its writer takes: give it a local file. A snapshot holds one
//     until it is closed. While one is held the file grows, and a commit that outgrows [Options.MapSize] waits for it.
//   - The file does not shrink. Pages that were replaced are used again; [Compact] writes the file anew.
//   - The file must be on a local file system with working locks; one process at a time can write it.
//   - A file that another program truncates while it is open makes reads fail with [eventstore.CorruptError].
//   - After a failed sync reads rely on what the system still has in memory; what it has dropped is found by checksums.
//
// # Map
//
// Opening and closing:
//
//	store.go         the store: what it takes, its clock, statistics, closing
//	open.go          opening and creating a file
//	options.go       options
//	lock.go          one process at a time, and a file that is whole; owner_*.go keeps the owner of a replaced file
//	format.go        the buckets of each format, and the state of a file
//	make_durable.go  making durable what was found
//	freelist.go      the list of free pages against the pages in use
//	upgrade.go       older formats; upgrade_journal.go takes over the journal of format 4
//	compact.go       writing a file anew
//
// Writing:
//
//	request.go        an append on its way to the writer
//	writer.go         the writer: batches, commits, answers
//	buckets.go        judging and storing the requests of a batch
//	stream_memory.go  what the writer remembers of a stream
//	unmerged.go       what was committed and not merged yet
//	merge.go          merging it into the log
//	recent_bucket.go  the bucket of commits that are not merged
//	stop_writing.go   after what failure nothing more is written
//
// Reading:
//
//	read.go        entries, heads, metadata
//	key_lookup.go  the version of a key
//	list.go        names of streams
//	snapshot.go    a moment of the whole store
//	tree.go        trees of pages, read with an end
//	pages.go       pages, looked at before they are believed
//
// Checking, encoding, telling:
//
//	check.go          a check of everything; chain.go checks one stream
//	codec.go          values of the buckets
//	request_codec.go  values of commits
//	uuid.go           keys that are UUIDs
//	errors.go         what an error of the engine means to the contract
//	trace.go          spans
package boltstore
