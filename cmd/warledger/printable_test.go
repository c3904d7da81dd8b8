package main

import (
	"context"
	"net"
	"strings"
	"testing"
	"unicode"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// escapes is a text that takes over a terminal, in 7 and in 8 bits.
const escapes = "mine\x1b]0;owned\a\x1b[2J\u009b2J\x7f"

// hostile is a server whose texts have control characters.
type hostile struct {
	v1.UnimplementedGameServiceServer
}

func (hostile) game() *v1.Game {
	return &v1.Game{
		Name: "games/" + strings.Repeat("a", 26), Title: escapes, Ruleset: "rulesets/toy", Scenario: escapes,
		Options: map[string]string{"fog": escapes}, Seats: []*v1.SeatState{{Id: "red", Holder: escapes, Taken: true}},
	}
}

func (h hostile) ListGames(context.Context, *v1.ListGamesRequest) (*v1.ListGamesResponse, error) {
	return &v1.ListGamesResponse{Games: []*v1.Game{h.game()}}, nil
}

func (h hostile) GetGame(context.Context, *v1.GetGameRequest) (*v1.GetGameResponse, error) {
	return &v1.GetGameResponse{Game: h.game()}, nil
}

func (hostile) GetBoard(context.Context, *v1.GetBoardRequest) (*v1.GetBoardResponse, error) {
	return &v1.GetBoardResponse{Version: 1, Board: &boardv1.Board{
		Clock:  &boardv1.Clock{Text: escapes},
		Pieces: []*boardv1.Piece{{Id: "p", Name: escapes, Place: "a", Owner: "red"}},
		Seats:  []*boardv1.SeatView{{Id: "red", Name: escapes}},
		Map:    &boardv1.Map{Spaces: []*boardv1.Space{{Id: "a", Name: escapes}}},
	}}, nil
}

func (hostile) ListRecords(context.Context, *v1.ListRecordsRequest) (*v1.ListRecordsResponse, error) {
	return nil, status.Error(codes.NotFound, escapes)
}

func (h hostile) AuditGame(_ *v1.AuditGameRequest, out grpc.ServerStreamingServer[v1.AuditGameResponse]) error {
	found := &v1.Finding{Version: 1, Check: escapes, Message: escapes}
	if err := out.Send(&v1.AuditGameResponse{Kind: &v1.AuditGameResponse_Finding{Finding: found}}); err != nil {
		return err
	}
	return out.Send(&v1.AuditGameResponse{
		Kind: &v1.AuditGameResponse_Summary{Summary: &v1.AuditSummary{Unchecked: []string{escapes}}},
	})
}

// TestTextsOfServersAreMadePrintable has a hostile server answer.
func TestTextsOfServersAreMadePrintable(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer()
	v1.RegisterGameServiceServer(srv, hostile{})
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	t.Cleanup(func() {
		srv.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	p := newPerson(t, l.Addr().String())
	name := hostile{}.game().Name
	for _, line := range []string{
		"games", "games -o json", "show " + name, "show -o json " + name, "board --color never " + name,
		"board --color never --space a " + name, "audit " + name, "log " + name, "log -o json " + name,
	} {
		_, out, errs := p.run(strings.Fields(line)...)
		if !strings.Contains(out+errs, "mine") {
			t.Errorf("%s: the text is not in\n%s%s", line, out, errs)
		}
		if strings.ContainsFunc(out+errs, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			t.Errorf("%s printed control characters: %q", line, out+errs)
		}
	}
}
