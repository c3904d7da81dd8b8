package service

import (
	"context"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
)

// GetCheckpoint takes in what has changed and signs the root.
func (s *checkpointServer) GetCheckpoint(
	ctx context.Context, _ *v1.GetCheckpointRequest,
) (*v1.GetCheckpointResponse, error) {
	c, err := s.heads.Checkpoint(ctx)
	if err != nil {
		return nil, err
	}
	return &v1.GetCheckpointResponse{Checkpoint: c.Note, VerifierKey: c.VerifierKey, TreeSize: uint64(c.Size)}, nil
}

// ProveConsistency proves that one tree begins with another.
func (s *checkpointServer) ProveConsistency(
	ctx context.Context, req *v1.ProveConsistencyRequest,
) (*v1.ProveConsistencyResponse, error) {
	proof, err := s.heads.ProveConsistency(ctx, req.GetOldSize(), req.GetNewSize())
	if err != nil {
		return nil, err
	}
	out := new(v1.ProveConsistencyResponse)
	for _, hash := range proof {
		out.Hashes = append(out.Hashes, hash[:])
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
	proof, err := s.heads.ProveHead(ctx, id, req.GetTreeSize())
	if err != nil {
		return nil, err
	}
	out := &v1.ProveHeadResponse{Version: proof.Version, Hash: proof.Hash[:], Index: uint64(proof.Index)}
	for _, hash := range proof.Hashes {
		out.Hashes = append(out.Hashes, hash[:])
	}
	return out, nil
}
