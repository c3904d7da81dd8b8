package service

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/computers"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
)

// Sizes of how a computer describes itself.
const (
	maxTitle         = 40  // characters, as the holder of a seat
	maxDescription   = 200 // characters
	maxRepertoire    = 16  // rulesets
	maxScenarios     = 100 // of a ruleset
	maxComputerSeats = 64
)

// openDesk prepares the desk of computers, and draws the tokens of the server's own. Those are not kept: whoever runs
// the computers asks for them when the service begins.
func (s *Service) openDesk(house []House) error {
	s.houseTokens = make(map[string]string)
	for _, h := range house {
		var random [32]byte
		if _, err := io.ReadFull(s.entropy, random[:]); err != nil {
			return err
		}
		s.houseTokens[h.ID] = tokens.Account(random)
	}
	s.computers = computers.New(computers.Config{
		Store: s.store, Clock: s.clock, House: house, MaxOffers: s.limits.Computers,
		CallerOffers: s.limits.CallerComputers, MaxSeats: s.limits.ComputerSeats,
		CallerSeats: s.limits.CallerComputerSeats,
		State:       s.postState,
	})
	return nil
}

// HouseToken returns the token with which a computer of the server's own is offered; empty for an unknown one. It opens
// no game.
func (s *Service) HouseToken(id string) string { return s.houseTokens[id] }

// computerSeats returns the number of seats that computers play, for the metrics.
func (s *Service) computerSeats() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	n, err := s.computers.Seats(ctx)
	if err != nil {
		return math.NaN()
	}
	return float64(n)
}

// postState says what has become of a seat that was given to a computer.
func (s *Service) postState(ctx context.Context, account string, p *logv1.ComputerPost) computers.State {
	l, done, err := s.games.Get(ctx, p.Game)
	if err != nil {
		var known *fault.Error
		if errors.As(err, &known) && known.Reason == fault.GameNotFound {
			return computers.Gone
		}
		return computers.Unknown
	}
	defer done()
	m := l.Current()
	switch {
	case m.Table.Over:
		return computers.Gone
	case m.Table.Computers[p.Seat].ID != account || !opens(m, p):
		return computers.Lost
	}
	return computers.Plays
}

// opens reports whether the token of a post is that of its seat.
func opens(m *live.Moment, p *logv1.ComputerPost) bool {
	return tokens.Same(tokens.HashOf(postToken(m, p)), m.Meta.SeatTokenHashes[p.Seat])
}

// dismiss takes the post of a computer off the book that has lost its seat since a moment. The log decides: if the book
// cannot be written now, the post goes later.
func (s *Service) dismiss(ctx context.Context, id string, before *live.Moment, seat string) {
	if _, held := before.Table.Computers[seat]; !held {
		return
	}
	_ = s.computers.Drop(ctx, id, seat, func(p *logv1.ComputerPost) bool { return opens(before, p) })
}

// postToken is the token with which a computer plays a seat.
func postToken(m *live.Moment, p *logv1.ComputerPost) string {
	request, err := uuid.Parse(p.RequestId)
	if err != nil {
		return ""
	}
	return tokens.Computer(m.Meta.TokenSecret, p.Seat, request)
}

// ListComputers lists what is on offer.
func (s *computerServer) ListComputers(
	ctx context.Context, req *v1.ListComputersRequest,
) (*v1.ListComputersResponse, error) {
	var sh shape
	if req.GetRuleset() != "" {
		sh.ruleset("ruleset", req.GetRuleset())
	} else if req.GetScenario() != "" {
		sh.faults.Add("ruleset", "expected the ruleset of the scenario")
	}
	sh.id("scenario", req.GetScenario())
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	list, err := s.computers.List(ctx, string(lang), req.GetRuleset(), req.GetScenario())
	if err != nil {
		return nil, err
	}
	return &v1.ListComputersResponse{Computers: list}, nil
}

// OfferComputer offers the caller as a computer, and tells it which seats to play.
func (s *computerServer) OfferComputer(
	req *v1.OfferComputerRequest, stream grpc.ServerStreamingServer[v1.OfferComputerResponse],
) error {
	heartbeat, err := s.readOffer(req)
	if err != nil {
		return err
	}
	ctx := stream.Context()
	offer, err := s.newOffer(ctx, req)
	if err != nil {
		return err
	}
	if err := s.computers.Begin(ctx, offer); err != nil {
		return err
	}
	defer s.computers.End(offer)
	err = stream.Send(&v1.OfferComputerResponse{Kind: &v1.OfferComputerResponse_Offered{Offered: offer.Shown}})
	if err != nil {
		return err
	}
	h := &hiring{s: s.Service, offer: offer, stream: stream, heartbeat: heartbeat, told: make(map[string]bool)}
	return h.follow(ctx)
}

// readOffer checks how a computer describes itself.
func (s *Service) readOffer(req *v1.OfferComputerRequest) (heartbeat time.Duration, err error) {
	var sh shape
	req.Title, heartbeat = strings.TrimSpace(req.GetTitle()), usualHeartbeat
	sh.text("title", req.Title, maxTitle)
	if utf8.RuneCountInString(req.Title) == 0 {
		sh.faults.Add("title", "it is empty")
	}
	if wrong := computers.TitleFault(req.Title); wrong != "" {
		sh.faults.Add("title", "%s", wrong)
	}
	sh.text("description", req.GetDescription(), maxDescription)
	n := len(req.GetRepertoire())
	if n == 0 || n > maxRepertoire {
		sh.faults.Add("repertoire", "%d rulesets, expected 1 to %d", n, maxRepertoire)
	}
	for _, r := range req.GetRepertoire()[:min(n, maxRepertoire)] {
		sh.ruleset("repertoire.ruleset", r.GetRuleset())
		scenarios := r.GetScenarios()
		if n := len(scenarios); n > maxScenarios {
			sh.faults.Add("repertoire.scenarios", "%d, at most %d are allowed", n, maxScenarios)
			scenarios = scenarios[:maxScenarios]
		}
		for _, id := range scenarios {
			sh.id("repertoire.scenarios", id)
		}
		if _, known := v1.Strength_name[int32(r.GetStrength())]; !known {
			sh.faults.Add("repertoire.strength", "%d is no strength", r.GetStrength())
		}
	}
	if n := req.GetMaxSeats(); n < 1 || n > maxComputerSeats {
		sh.faults.Add("max_seats", "%d, expected 1 to %d", n, maxComputerSeats)
	}
	if h := req.GetHeartbeat(); h != nil {
		heartbeat = h.AsDuration()
		if h.CheckValid() != nil || heartbeat < s.limits.MinHeartbeat || heartbeat > longestHeartbeat {
			sh.faults.Add("heartbeat", "expected %s to %s", s.limits.MinHeartbeat, longestHeartbeat)
		}
	}
	return heartbeat, sh.err()
}

// newOffer finds out who offers itself.
func (s *Service) newOffer(ctx context.Context, req *v1.OfferComputerRequest) (*computers.Offer, error) {
	creds, err := s.credentials(ctx)
	if err != nil {
		return nil, err
	}
	if len(creds.tokens) == 0 {
		return nil, fault.New(fault.TokenRequired, "the call needs the token of a computer's account")
	}
	if len(creds.tokens) != 1 || !tokens.IsAccount(creds.tokens[0]) {
		return nil, fault.New(fault.TokenMalformed, "expected one token of a computer's account: wl_b_…")
	}
	o := &computers.Offer{ID: tokens.AccountID(creds.tokens[0]), Run: uuid.NewString(), From: s.admission.Caller(ctx),
		Replaced: make(chan struct{})}
	house := false
	for id, token := range s.houseTokens {
		if own := tokens.HashOf(token); tokens.Same(tokens.HashOf(creds.tokens[0]), own[:]) {
			o.ID, house = id, true
		}
	}
	o.Shown = &v1.Computer{
		Name: streams.Computers + o.ID, Title: req.Title, Description: req.Description, House: house,
		Repertoire: req.Repertoire, MaxSeats: req.MaxSeats,
	}
	return o, nil
}

// hiring is one stream that offers a computer.
type hiring struct {
	s         *Service
	offer     *computers.Offer
	stream    grpc.ServerStreamingServer[v1.OfferComputerResponse]
	heartbeat time.Duration
	// told has the posts that the stream was told of.
	told map[string]bool
}

// How often a stream looks at its posts without being told that the book has changed: often while a game is about to
// record that a seat was given.
const (
	lookAgain = 15 * time.Second
	lookSoon  = 100 * time.Millisecond
)

// follow tells the stream of posts until one side ends it.
func (h *hiring) follow(ctx context.Context) error {
	said := time.Now()
	for {
		posts, mark, unsettled, err := h.s.computers.Posts(ctx, h.offer)
		if err != nil {
			return err
		}
		sent, err := h.tell(ctx, posts)
		if err != nil {
			return err
		}
		if sent {
			said = time.Now()
		}
		pause := min(h.heartbeat, lookAgain)
		if unsettled {
			pause = min(pause, lookSoon)
		}
		waiting, cancel := context.WithTimeout(ctx, pause)
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			h.s.computers.Wait(waiting, mark)
		}()
		select {
		case <-changed:
		case <-h.s.leaving:
		case <-h.offer.Replaced:
			err = fault.New(fault.OfferReplaced, "a later stream offers %s", h.offer.Shown.Name)
		}
		cancel()
		<-changed
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case h.s.left(): // also where a change of the book came at the same moment
			return h.away()
		case time.Since(said) >= h.heartbeat:
			said = time.Now()
			err := h.stream.Send(&v1.OfferComputerResponse{
				Kind: &v1.OfferComputerResponse_Heartbeat{Heartbeat: &v1.Heartbeat{}},
			})
			if err != nil {
				return err
			}
		}
	}
}

// away says goodbye: the server stops.
func (h *hiring) away() error {
	return h.stream.Send(&v1.OfferComputerResponse{Kind: &v1.OfferComputerResponse_GoingAway{
		GoingAway: &v1.GoingAway{Reason: "the server is shutting down"},
	}})
}

// left reports whether the service has begun to leave.
func (s *Service) left() bool {
	select {
	case <-s.leaving:
		return true
	default:
		return false
	}
}

// tell sends the posts that the stream does not know, and reports whether there were any.
func (h *hiring) tell(ctx context.Context, posts []*logv1.ComputerPost) (sent bool, err error) {
	now := make(map[string]bool)
	for _, p := range posts {
		key := p.Game + "/" + p.Seat + "/" + p.RequestId // another game may have the same request
		now[key] = true
		if h.told[key] {
			continue
		}
		l, done, err := h.s.games.Get(ctx, p.Game)
		if err != nil {
			delete(now, key) // looked at again
			continue
		}
		seat := &v1.ComputerSeat{Name: streams.Games + p.Game, Seat: p.Seat, Token: postToken(l.Current(), p),
			Ruleset: "rulesets/" + l.Created.Ruleset, Scenario: l.Created.Scenario, GivesUp: p.GivesUp}
		done()
		err = h.stream.Send(&v1.OfferComputerResponse{Kind: &v1.OfferComputerResponse_Seat{Seat: seat}})
		if err != nil {
			return sent, err
		}
		sent = true
	}
	h.told = now
	return sent, nil
}
