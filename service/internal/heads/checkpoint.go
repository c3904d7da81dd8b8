package heads

import (
	"context"
	"fmt"

	sumnote "golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// logName begins every checkpoint.
const logName = "warledger/heads/1"

// Checkpoint is a signed root.
type Checkpoint struct {
	// Note is the root with size and signature, in the form of notes.
	Note string
	// VerifierKey checks the signature.
	VerifierKey string
	// Size is how many heads the tree holds.
	Size int64
}

// Proof says where the head of a game is in a tree.
type Proof struct {
	Version uint64
	Hash    ledger.Hash
	Index   int64
	Hashes  tlog.RecordProof
}

// Checkpoint takes in what has changed and signs the root.
func (h *Log) Checkpoint(ctx context.Context) (c Checkpoint, err error) {
	err = h.with(ctx, func() error {
		if err := h.seal(ctx); err != nil {
			return err
		}
		root, err := tlog.TreeHash(h.size, h)
		if err != nil {
			return err
		}
		signed, err := sumnote.Sign(&sumnote.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", logName, h.size, root)},
			h.Signing.Signer)
		c = Checkpoint{Note: string(signed), VerifierKey: h.Signing.VerifierKey, Size: h.size}
		return err
	})
	return c, err
}

// sized checks the size of a tree.
func (h *Log) sized(size uint64) (int64, error) {
	if size == 0 || size > uint64(h.size) {
		return 0,
			fault.New(fault.TreeSizeUnknown, "the log of heads has %d leaves, there is no tree of %d", h.size, size).
				With("size", size, "current", h.size)
	}
	return int64(size), nil
}

// ProveConsistency proves that the tree of the larger size begins with that of the smaller.
func (h *Log) ProveConsistency(ctx context.Context, smallerSize, largerSize uint64) (proof tlog.TreeProof, err error) {
	err = h.with(ctx, func() error {
		larger, err := h.sized(largerSize)
		if err != nil {
			return err
		}
		smaller, err := h.sized(smallerSize)
		if err == nil && smaller > larger {
			_, err = h.sized(0)
		}
		if err != nil {
			return err
		}
		proof, err = tlog.ProveTree(larger, smaller, h)
		return err
	})
	return proof, err
}

// ProveHead proves that a tree holds the last head of a game that it has.
func (h *Log) ProveHead(ctx context.Context, game string, treeSize uint64) (p Proof, err error) {
	err = h.with(ctx, func() error {
		size, err := h.sized(treeSize)
		if err != nil {
			return err
		}
		at, ok := h.head(game, size)
		if !ok {
			return fault.New(fault.HeadNotLogged, "the tree has %d heads but no head of game %s", size, game).
				With("game", game, "size", size).Resource("game", streams.Game(game))
		}
		proof, err := tlog.ProveRecord(size, at.index, h)
		p = Proof{Version: at.version, Hash: at.hash, Index: at.index, Hashes: proof}
		return err
	})
	return p, err
}
