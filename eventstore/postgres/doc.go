// Package postgres keeps an event store in a PostgreSQL database, which any number of processes share.
//
// # Tables
//
//	wl_store    one row: id of the store, number of the format
//	wl_stream   id, name, version and hash of the last entry, metadata and their version
//	wl_entry    stream, version, key, beginning of the previous hash, hash, data
//
// They lie in the first schema of the search path, so that several stores may share a database. A key that is a UUID is
// packed into 17 bytes. The hash before an entry is that of the entry before; its first 4 bytes are repeated so that a
// check finds an entry that follows another one. There are no foreign keys, triggers or procedures: pg_dump, logical
// replication and other databases that speak PostgreSQL's protocol stay possible.
//
// # How it writes
//
// Two connections write. Each takes what waits, at most one change of a stream and 128 in all, and sends it as one
// statement. The statement locks the rows of the streams whose version, hash and metadata version are those that the
// changes were made from, moves them on, inserts the entries, and returns which changes it stored. Nothing but these
// comparisons keeps writers apart, in one process or in several. What was not stored is looked at afterwards, for the
// caller's error.
//
// No statement that writes is ever cancelled. PostgreSQL would show the commit of a canceled statement that waits for
// its standby, and no standby would have it. When a batch takes too long its connection is closed instead, and the
// server finishes in peace. For the same reason a commit that comes with a warning counts as uncertain.
//
// # Lost answers
//
// When a connection is lost in a batch, the writer connects anew and asks whether the server still works on it. Once
// it does not, what is in the tables was stored, and the rest is sent again. So a restart of the server, or another
// one taking over, is no error where it is quick. What is not known after [Options.WriteTimeout] gets
// [eventstore.ErrUncertain]. Appends that come while no server can be reached fail at once, and nothing of them is
// stored. A store needs no reopening when its database is back.
//
// # Waking
//
// After a batch a handle notifies the others of the streams that have changed. A notification may be lost, so each
// handle also asks once a second how far the streams are that somebody waits for at it, and when it begins to listen.
//
// A handle hears its own notifications as well, and so can say how long they take.
//
// # Servers, and programs that want a store alone
//
// Any number of servers share a store, and the comparisons keep them apart. A program that replaces what a store holds
// must be alone with it. So servers open it with [LockShared] and such a program with [LockAlone]: the sessions that
// listen hold advisory locks, and with a server also those that write. A server that was cut off for so long that
// somebody else had the store writes nothing before it has asked what became of it. A program that had the store alone
// and was cut off writes nothing any more ([ErrLost]), and whoever takes the store next waits for what it was writing.
//
// # What it refuses
//
// The settings fsync, full_page_writes, synchronous_commit, default_transaction_isolation and server_encoding must be
// such that what was acknowledged is safe ([UnsafeError]); each new connection looks at them. A database with standbys
// of which none is synchronous is refused when it is opened, unless [Options.AcceptLoss] is set. A standby is never
// used, not even to read. Among several hosts the one that accepts writes is taken.
//
// # Caveats
//
//   - Connections must be PostgreSQL's own, or those of a pooler that keeps one for a whole session.
//   - An old primary that is cut off from its standby cannot acknowledge anything, but may answer reads with what it
//     had until it is stopped.
//   - A snapshot, a backup and a check hold a transaction open. Meanwhile the database keeps what it replaces.
//   - Names compare by their bytes, whatever the database's collation.
package postgres
