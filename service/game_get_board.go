package service

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"

	"google.golang.org/protobuf/types/known/anypb"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
)

// sight is a position of a game, as a viewer asked for it.
type sight struct {
	visit  *visit
	m      *live.Moment
	game   rules.Game
	place  uint64
	shown  uint64
	viewer rules.Viewer
}

// look finds the position that a request wants to see. Call done at the end.
func (s *Service) look(
	ctx context.Context, method, id, viewer string, version uint64, lang rules.Lang,
) (*sight, func(), error) {
	v, done, err := s.enter(ctx, method, id, lang)
	if err != nil {
		return nil, nil, err
	}
	see := &sight{visit: v, m: v.Current()}
	w, err := v.caller.view(v.About, viewer, see.m.Table.Over)
	if err == nil {
		see.viewer = w.viewer(see.m.Table.Over)
		see.place, see.shown, err = see.m.Place(version)
	}
	if err == nil {
		see.game, err = s.positionOf(ctx, v.Game, see.m, see.place)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	note(ctx).version = see.shown
	return see, done, nil
}

// positionOf is the position after a place, the moment's own at its head.
func (s *Service) positionOf(ctx context.Context, l *live.Game, m *live.Moment, place uint64) (rules.Game, error) {
	if place == m.Head() {
		return m.Position, nil
	}
	return s.games.PositionAt(ctx, l, m, place)
}

// maxRanged is the largest number of pieces in one request for ranges.
const maxRanged = 64

// ranged reads which ranges a request asks for.
func (s *shape) ranged(req *v1.GetBoardRequest) rules.Ranged {
	of := rules.Ranged{Pieces: req.GetRangesOf(), Space: req.GetThreatsTo()}
	if len(of.Pieces) > maxRanged {
		s.faults.Add("ranges_of", "%d of them, at most %d are allowed", len(of.Pieces), maxRanged)
		return rules.Ranged{}
	}
	for i, id := range of.Pieces {
		s.id("ranges_of["+strconv.Itoa(i)+"]", id)
	}
	s.id("threats_to", of.Space)
	return of
}

// GetBoard draws a position.
func (s *gameServer) GetBoard(ctx context.Context, req *v1.GetBoardRequest) (*v1.GetBoardResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	sh.id("viewer", req.GetViewer())
	lang := sh.language("language_code", req.GetLanguageCode())
	of := sh.ranged(req)
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	see, done, err := s.look(ctx, v1.GameService_GetBoard_FullMethodName, id, req.GetViewer(), req.GetVersion(), lang)
	if err != nil {
		return nil, err
	}
	defer done()
	out := &v1.GetBoardResponse{Board: &boardv1.Board{}, Version: see.shown}
	if !req.GetOnlyIncluded() {
		out.Board = see.visit.Scenario.Board(see.game, see.viewer, lang)
		if see.place == see.m.Head() && out.Board.Ending == nil {
			out.Board.Ending = render.Ending(see.m, see.visit.Game, lang)
		}
	}
	if req.GetIncludeMap() {
		s.admission.Charge(ctx, mapCost)
		if out.Board.Map = see.visit.Scenario.Map(see.visit.Ruleset, lang); req.GetPackedMap() {
			out.Board.Map = see.visit.Scenario.Packed(see.visit.Ruleset, lang)
		}
	}
	if req.GetIncludeLayers() {
		s.admission.Charge(ctx, mapCost)
		out.Board.Layers = see.game.Layers(see.viewer, lang)
	}
	if of.Any() {
		s.admission.Charge(ctx, mapCost)
		out.Board.Ranges = see.game.Ranges(see.viewer, of, lang)
	}
	return out, nil
}

// GetPosition gives the typed position.
func (s *gameServer) GetPosition(ctx context.Context, req *v1.GetPositionRequest) (*v1.GetPositionResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	sh.id("viewer", req.GetViewer())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	see, done, err := s.look(ctx, v1.GameService_GetPosition_FullMethodName, id, req.GetViewer(), req.GetVersion(),
		rules.English)
	if err != nil {
		return nil, err
	}
	defer done()
	position, err := anypb.New(see.game.View(see.viewer))
	if err != nil {
		return nil, err
	}
	out := &v1.GetPositionResponse{Position: position, Version: see.shown}
	if req.GetIncludeKnown() {
		known, _ := see.game.Known(see.viewer)
		out.Known = strings.ToValidUTF8(known.Notation(), "\uFFFD")
	}
	if see.viewer.All {
		hash := see.game.Hash()
		out.Notation, out.Hash = strings.ToValidUTF8(see.game.Notation(), "\uFFFD"), hex.EncodeToString(hash[:])
	}
	return out, nil
}
