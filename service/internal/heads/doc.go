// Package heads keeps the log of heads: a Merkle tree over the heads of all games, whose root is signed. The tree lies
// in memory and is read from the store at first use. A game that changes is only marked. Its head is taken in when
// somebody asks for a checkpoint, many in one append.
//
// Several servers may share a store. Each reads on what the others have taken in before it signs or proves anything,
// and takes its heads in anew if another was quicker. So all sign one tree, and all must sign with one key.
//
// [Log] is the seam: games are touched, and checkpoints and proofs are asked for. Nobody else sees the tree. All work
// on it goes through Log.with, which reads on.
//
//	heads.go       the tree in memory, and its stream in the store
//	checkpoint.go  signed roots and proofs
//	sealing.go     taking heads in from time to time
package heads
