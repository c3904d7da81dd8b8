package service

import (
	"context"
	"sort"
	"time"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

// ResolveVersion says which version a turn or a time means.
func (s *historyServer) ResolveVersion(
	ctx context.Context, req *v1.ResolveVersionRequest,
) (*v1.ResolveVersionResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	switch at := req.GetAt().(type) {
	case *v1.ResolveVersionRequest_Turn:
		if at.Turn < 0 {
			sh.faults.Add("turn", "%d, expected 0 or more", at.Turn)
		}
	case *v1.ResolveVersionRequest_Time:
		if at.Time.CheckValid() != nil {
			sh.faults.Add("time", "expected a time")
		}
	default:
		sh.faults.Add("at", "expected a turn or a time")
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	v, done, err := s.enter(ctx, v1.HistoryService_ResolveVersion_FullMethodName, id, rules.English)
	if err != nil {
		return nil, err
	}
	defer done()
	out := new(v1.ResolveVersionResponse)
	if at, ok := req.GetAt().(*v1.ResolveVersionRequest_Turn); ok {
		out.Version, err = s.versionOfTurn(ctx, v.Game, v.Current(), int(at.Turn))
	} else {
		out.Version, err = s.versionAtTime(ctx, v.Game, v.Current(), req.GetTime().AsTime())
	}
	if err != nil {
		return nil, err
	}
	note(ctx).version = out.Version
	return out, nil
}

// versionOfTurn looks along the line to the head, on which no turn comes before an earlier one.
func (s *Service) versionOfTurn(ctx context.Context, l *live.Game, m *live.Moment, turn int) (uint64, error) {
	line := m.Tree.Line()
	var err error
	i := sort.Search(len(line), func(i int) bool {
		if err != nil {
			return true
		}
		var game rules.Game
		if game, err = s.positionOf(ctx, l, m, line[i]); err != nil {
			return true
		}
		return game.Turn() >= turn
	})
	if err != nil {
		return 0, err
	}
	if i == len(line) {
		return 0,
			fault.New(fault.VersionNotFound, "the game is in turn %d, and not in turn %d yet", m.Position.Turn(), turn).
				With("turn", turn, "current", m.Version())
	}
	return line[i], nil
}

// versionAtTime looks through the log, in which no record is older than the one before.
func (s *Service) versionAtTime(ctx context.Context, l *live.Game, m *live.Moment, at time.Time) (uint64, error) {
	var err error
	later := sort.Search(int(m.Version()), func(i int) bool {
		if err != nil {
			return true
		}
		r, failed := s.games.Record(ctx, l.ID, uint64(i+1))
		if failed != nil {
			err = failed
			return true
		}
		return r.Header().Time.AsTime().After(at)
	})
	if err != nil {
		return 0, err
	}
	if later == 0 {
		return 0,
			fault.New(fault.VersionNotFound, "the game began %s, after that time",
				l.Time.UTC().Format(time.RFC3339Nano)).
				With("time", at.UTC().Format(time.RFC3339Nano), "current", m.Version())
	}
	return uint64(later), nil
}
