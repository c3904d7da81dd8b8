package service

import (
	"context"
	"encoding/hex"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// GetGame gives a game's summary.
func (s *gameServer) GetGame(ctx context.Context, req *v1.GetGameRequest) (*v1.GetGameResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	v, done, err := s.enter(ctx, v1.GameService_GetGame_FullMethodName, id, lang)
	if err != nil {
		return nil, err
	}
	defer done()
	return &v1.GetGameResponse{Game: v.game(ctx, v.Current()), Watches: int32(s.watched.count(id))}, nil
}

// ListGames lists games by id.
func (s *gameServer) ListGames(ctx context.Context, req *v1.ListGamesRequest) (*v1.ListGamesResponse, error) {
	var sh shape
	size := sh.page("page_size", req.GetPageSize(), 50, 1000)
	ruleset := ""
	if req.GetRuleset() != "" {
		ruleset = sh.ruleset("ruleset", req.GetRuleset())
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	binding := []any{"games", ruleset, req.GetRunningOnly(), req.GetOpenSeatsOnly()}
	after, err := pageStart(req.GetPageToken(), binding...)
	if err != nil {
		return nil, err
	}
	s.admission.Charge(ctx, size/gamesByUnit)
	made, err := s.listing(ctx, size)
	if err != nil {
		return nil, err
	}
	defer made()
	out, last, err := s.gamePage(ctx, after, size, func(g *v1.Game) bool { return fits(g, ruleset, req) })
	if err != nil {
		return nil, err
	}
	if last != "" {
		out.NextPageToken = pageToken(last, binding...)
	}
	return out, nil
}

// mostListedAtOnce is how many logs are read at once for a list, if what is kept beside their logs is small.
const mostListedAtOnce = 50

// listedAtOnce is how many logs to read next, after some: a store keeps up to a MiB beside a log, and many callers
// may list at once.
func listedAtOnce(logs []eventstore.StreamInfo) int {
	bytes := 1
	for _, info := range logs {
		bytes += len(info.Meta)
	}
	return max(1, min(mostListedAtOnce, pageBytes*len(logs)/bytes))
}

// gamePage lists the games that fit among the next logs; last is the last of them, empty if nothing follows it.
func (s *Service) gamePage(
	ctx context.Context, after string, size int, fits func(*v1.Game) bool,
) (out *v1.ListGamesResponse, last string, err error) {
	out = new(v1.ListGamesResponse)
	var bytes page
	var logs []eventstore.StreamInfo
	for seen := 0; ; {
		n := min(size-seen, listedAtOnce(logs))
		logs, err = streams.ListGames(ctx, s.store, after, n+1) // one more, to know whether any follow
		if err != nil {
			return nil, "", err
		}
		for i := range min(n, len(logs)) {
			seen++
			after = logs[i].Name
			if g := s.listedGame(logs[i]); g != nil && fits(g) {
				out.Games = append(out.Games, g)
				bytes.add(g)
			}
			if more := i+1 < len(logs); more && (seen == size || bytes.full()) {
				return out, after, nil
			}
		}
		if len(logs) <= n {
			return out, "", nil
		}
	}
}

// listedGame reads what is kept beside a log; nil if it cannot be read, or is nobody else's business.
func (s *Service) listedGame(info eventstore.StreamInfo) *v1.Game {
	meta, err := ledger.DecodeMeta(info.Meta)
	if err != nil || meta.Summary == nil || meta.Summary.Private || streams.Games+meta.Summary.Game != info.Name {
		return nil
	}
	var about *rules.About
	if set, ok := s.registry.Find(meta.Summary.Ruleset); ok {
		about = set.About()
	}
	g := render.Listed(about, meta.Summary)
	g.LastHash = hex.EncodeToString(info.Hash[:])
	return g
}

func fits(g *v1.Game, ruleset string, req *v1.ListGamesRequest) bool {
	if ruleset != "" && g.Ruleset != "rulesets/"+ruleset || req.GetRunningOnly() && g.Over {
		return false
	}
	if !req.GetOpenSeatsOnly() {
		return true
	}
	for _, seat := range g.Seats {
		if !seat.Taken && !g.Over {
			return true
		}
	}
	return false
}
