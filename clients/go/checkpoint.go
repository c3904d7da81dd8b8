package warledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// ErrNotProved says that a server could not prove what its checkpoints promise: a signature, that its log of heads has
// only grown, or that the log holds a head. Keep both checkpoints: together they convict it.
var ErrNotProved = errors.New("the server did not prove its log of heads")

// logName begins every checkpoint.
const logName = "warledger/heads/1"

// Checkpoint is a signed root of a server's log of heads whose signature was checked.
type Checkpoint struct {
	// Note is what was signed, with the signature.
	Note string
	// VerifierKey is the public key of the log.
	VerifierKey string

	tree tlog.Tree
}

// Size is how many heads the log held.
func (c *Checkpoint) Size() uint64 { return uint64(c.tree.N) }

// ReadCheckpoint checks the signature of a checkpoint that was kept. The error is an [ErrNotProved].
func ReadCheckpoint(text, verifierKey string) (*Checkpoint, error) {
	verifier, err := note.NewVerifier(verifierKey)
	if err != nil {
		return nil, fmt.Errorf("%w: its key: %v", ErrNotProved, err)
	}
	n, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNotProved, err)
	}
	c := &Checkpoint{Note: text, VerifierKey: verifierKey}
	var name, root string
	if _, err := fmt.Sscanf(n.Text, "%s\n%d\n%s\n", &name, &c.tree.N, &root); err != nil || name != logName ||
		c.tree.N < 0 {
		return nil, fmt.Errorf("%w: %q is no checkpoint", ErrNotProved, strings.ToValidUTF8(n.Text, "?"))
	}
	if c.tree.Hash, err = tlog.ParseHash(root); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNotProved, err)
	}
	return c, nil
}

// Checkpoint gets the newest checkpoint of the server. last is one that was kept, and proved to be the beginning of the
// new one; with nil, the server's key is taken on trust, this once.
func (c *Client) Checkpoint(ctx context.Context, last *Checkpoint) (*Checkpoint, error) {
	resp, err := call(ctx, c, nil, "", &v1.GetCheckpointRequest{}, c.checkpoints.GetCheckpoint)
	if err != nil {
		return nil, err
	}
	key := resp.VerifierKey
	if last != nil {
		key = last.VerifierKey
	}
	next, err := ReadCheckpoint(resp.Checkpoint, key)
	if err != nil || last == nil || last.tree.N == 0 {
		return next, err
	}
	if next.tree.N < last.tree.N {
		return nil, fmt.Errorf("%w: it holds %d heads and held %d before", ErrNotProved, next.tree.N, last.tree.N)
	}
	proof, err := call(ctx, c, nil,
		"", &v1.ProveConsistencyRequest{OldSize: last.Size(), NewSize: next.Size()}, c.checkpoints.ProveConsistency)
	if err != nil {
		return nil, err
	}
	hashes, err := proofOf(proof.Hashes)
	if err == nil {
		err = tlog.CheckTree(hashes, next.tree.N, next.tree.Hash, last.tree.N, last.tree.Hash)
	}
	if err != nil {
		return nil,
			fmt.Errorf("%w: the log of %d heads is not the beginning of that of %d: %v",
				ErrNotProved, last.tree.N, next.tree.N, err)
	}
	return next, nil
}

// Head is the last head of the game that a checkpoint holds, proved.
func (g *Game) Head(ctx context.Context, at *Checkpoint) (version uint64, hash []byte, err error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.ProveHeadRequest{Name: g.name, TreeSize: at.Size()},
		g.client.checkpoints.ProveHead)
	if err != nil {
		return 0, nil, err
	}
	leaf := fmt.Appendf(nil, "warledger/head/1 %s %d %x\n",
		strings.TrimPrefix(g.name, "games/"), resp.Version, resp.Hash)
	hashes, err := proofOf(resp.Hashes)
	if err == nil && resp.Index >= at.Size() {
		err = fmt.Errorf("number %d of %d", resp.Index, at.Size())
	}
	if err == nil {
		err = tlog.CheckRecord(tlog.RecordProof(hashes), at.tree.N, at.tree.Hash, int64(resp.Index),
			tlog.RecordHash(leaf))
	}
	if err != nil {
		return 0, nil,
			fmt.Errorf("%w: it does not hold version %d of %s with hash %x: %v",
				ErrNotProved, resp.Version, g.name, resp.Hash, err)
	}
	return resp.Version, resp.Hash, nil
}

func proofOf(hashes [][]byte) ([]tlog.Hash, error) {
	var out []tlog.Hash
	for _, h := range hashes {
		if len(h) != tlog.HashSize {
			return nil, fmt.Errorf("a hash of %d bytes", len(h))
		}
		out = append(out, tlog.Hash(h))
	}
	return out, nil
}
