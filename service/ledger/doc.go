// Package ledger says what a record of a game is in bytes, and proves that a log is what it claims to be.
//
// [Seal] makes a record, [Open] reads and verifies one, [Record.Redact] hides what a viewer may not see without
// breaking the hash. [Chain] checks that records follow each other, [Tree] knows which of them the current position is
// made of, [Replayer] folds them into a position. [Audit] checks a whole log: chain, commitments, dice, and every
// command decided again. [WriteExport] and [ReadExport] turn a log into one file and back.
//
// It knows the rules contract and bytes. It has never heard of gRPC or of a store. docs/reference/log-format.md
// describes all of it byte for byte, for programs in other languages.
package ledger
