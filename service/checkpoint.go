package service

import (
	"context"
	"fmt"

	sumnote "golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
)

// logName begins every checkpoint.
const logName = "warledger/heads/1"

// proving does something with the log of heads as it is stored.
func (s *Service) proving(ctx context.Context, f func(*heads) error) error {
	if s.heads.signing == nil {
		return fault.New(fault.CheckpointsOff, "the server signs no checkpoints")
	}
	s.heads.mu.Lock()
	defer s.heads.mu.Unlock()
	if err := s.heads.load(ctx); err != nil {
		return err
	}
	return f(s.heads)
}

// GetCheckpoint takes in what has changed and signs the root.
func (s *checkpointServer) GetCheckpoint(ctx context.Context, _ *v1.GetCheckpointRequest) (*v1.GetCheckpointResponse, error) {
	out := new(v1.GetCheckpointResponse)
	err := s.proving(ctx, func(h *heads) error {
		if err := h.seal(ctx); err != nil {
			return err
		}
		root, err := tlog.TreeHash(h.size, h)
		if err != nil {
			return err
		}
		signed, err := sumnote.Sign(&sumnote.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", logName, h.size, root)}, h.signing.Signer)
		out.Checkpoint, out.VerifierKey, out.TreeSize = string(signed), h.signing.VerifierKey, uint64(h.size)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// sized checks the size of a tree.
func (h *heads) sized(size uint64) (int64, error) {
	if size == 0 || size > uint64(h.size) {
		return 0, fault.New(fault.TreeSizeUnknown, "the log of heads has %d leaves, there is no tree of %d", h.size, size).With("size", size, "current", h.size)
	}
	return int64(size), nil
}

// ProveConsistency proves that one tree begins with another.
func (s *checkpointServer) ProveConsistency(ctx context.Context, req *v1.ProveConsistencyRequest) (*v1.ProveConsistencyResponse, error) {
	out := new(v1.ProveConsistencyResponse)
	err := s.proving(ctx, func(h *heads) error {
		larger, err := h.sized(req.GetNewSize())
		if err != nil {
			return err
		}
		smaller, err := h.sized(req.GetOldSize())
		if err == nil && smaller > larger {
			_, err = h.sized(0)
		}
		if err != nil {
			return err
		}
		proof, err := tlog.ProveTree(larger, smaller, h)
		for _, hash := range proof {
			out.Hashes = append(out.Hashes, hash[:])
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ProveHead proves that a tree holds a game's head.
func (s *checkpointServer) ProveHead(ctx context.Context, req *v1.ProveHeadRequest) (*v1.ProveHeadResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	_, done, err := s.enter(ctx, v1.CheckpointService_ProveHead_FullMethodName, id, rules.English)
	if err != nil {
		return nil, err
	}
	done()
	out := new(v1.ProveHeadResponse)
	err = s.proving(ctx, func(h *heads) error {
		size, err := h.sized(req.GetTreeSize())
		if err != nil {
			return err
		}
		at, ok := h.head(id, size)
		if !ok {
			return fault.New(fault.HeadNotLogged, "the tree of %d heads holds none of game %s", size, id).
				With("game", id, "size", size).Resource("game", gamePrefix+id)
		}
		proof, err := tlog.ProveRecord(size, at.index, h)
		for _, hash := range proof {
			out.Hashes = append(out.Hashes, hash[:])
		}
		out.Version, out.Hash, out.Index = at.version, at.hash[:], uint64(at.index)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
