// Package eventstore says what a log is: named streams of entries that are appended, read and followed, and never
// changed. It knows names, versions and bytes; what the bytes mean is its caller's business.
//
// A stream is a chain of entries with versions 1, 2, 3, ... without a gap. Each entry carries the hash of the entry
// before it and its own; an append is refused when its link does not fit. The store compares hashes and never
// computes one, so the caller is free to choose what a hash commits to, and passes the recomputation to [Store.Check].
//
// An append names the version that it builds on. Of several appends that name the same version one wins and the
// others get a [ConflictError] and change nothing. Each entry may carry a key that is unique in its stream for ever: a
// retry finds its key taken ([KeyUsedError]) and can be answered with what was stored the first time.
//
// Beside its entries a stream has metadata: bytes that are replaced as a whole. Each time they are set their version
// rises by one. Whoever replaces them names the version that the new ones were made from, so that of several changes
// made from one version one wins and the others get a [MetaConflictError]. An append can replace them in the same
// transaction.
//
// # Several processes
//
// The versions of entries and of metadata are all that keeps writers apart: nobody owns a stream. Engines that several
// processes share say so ([Store.Shared]), and bring a clock that all of them read alike ([Store.Now]). A process that
// keeps what it has read waits for more with [Store.Wait], and reads entries and metadata of one moment with
// [Store.ReadAt].
//
// # Engines
//
// An engine implements [Store] and proves it with the suite in package storetest. Package memory keeps a log for the
// life of a test, and can be opened several times as if by several processes. Package bbolt (named boltstore) keeps it
// in one file for one process, and package postgres in a database for many. Package dump copies a store as of one
// moment ([Store.Snapshot]) into a file that every engine reads.
//
// # Caveats
//
//   - An append that fails with [ErrUncertain] may have been stored all the same. Repeat it with the same keys: the
//     answer is nil or a [KeyUsedError], and then it is stored once.
//   - Entries that a read returns belong to the caller. Entries given to an append are copied before it returns, also
//     when it returns early because its context ended.
//   - What [Store.Read], [Store.ReadAt], [Store.Head], [Store.Lookup], [Store.List] and [Store.Wait] show is durable,
//     metadata too.
//   - Versions are numbers of entries, not times.
//   - A copy of a store may have lower metadata versions than the store (see package dump): whoever compares them must
//     not take what was read from one store for the other's.
package eventstore
