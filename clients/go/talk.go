package warledger

import (
	"context"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Saying is something to say: to the table, unless Audience says otherwise.
type Saying struct {
	// Audience is who reads it: [v1.Audience_AUDIENCE_TABLE], the side, or the writer alone.
	Audience v1.Audience
	// Text is one line.
	Text string
	// Space and Record are what it is pinned to; at most one of them.
	Space  string
	Record uint64
	// ID of the request, a UUID; one is drawn if it is empty. The same request says something once.
	ID string
}

// Say says something for the handle's seat.
func (g *Game) Say(ctx context.Context, s Saying) (*v1.Message, error) {
	req := &v1.CreateMessageRequest{Parent: g.name, RequestId: s.ID,
		Message: &v1.Message{Seat: g.seat, Audience: s.Audience, Text: s.Text}}
	switch {
	case s.Space != "":
		req.Message.Pin = &v1.Message_Space{Space: s.Space}
	case s.Record != 0:
		req.Message.Pin = &v1.Message_Record{Record: s.Record}
	}
	if req.RequestId == "" {
		req.RequestId = newID()
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.talk.CreateMessage)
	return resp.GetMessage(), err
}

// Messages returns what the caller may read, oldest first: the newest most messages, or all if that is 0. viewer is as
// in [Look]; of one audience only, unless it is unspecified.
func (g *Game) Messages(
	ctx context.Context, only v1.Audience, viewer string, most int,
) (list []*v1.Message, err error) {
	req := &v1.ListMessagesRequest{Parent: g.name, Audience: only, Viewer: viewer, PageSize: int32(most)}
	for {
		resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.talk.ListMessages)
		if err != nil {
			return nil, err
		}
		list = append(list, resp.Messages...)
		if req.PageToken = resp.NextPageToken; req.PageToken == "" || most > 0 && len(list) >= most {
			break
		}
	}
	if most > 0 {
		list = list[:min(most, len(list))]
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list, nil
}

// DeleteMessage deletes a message for everybody, by its name. One that is gone is no error.
func (g *Game) DeleteMessage(ctx context.Context, name string) error {
	_, err := call(ctx, g.client, g.tokens, g.name, &v1.DeleteMessageRequest{Name: name}, g.client.talk.DeleteMessage)
	return err
}

// Talk returns what holds for the talk of the game.
func (g *Game) Talk(ctx context.Context) (*v1.Talk, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.GetTalkRequest{Name: g.name + "/talk"},
		g.client.talk.GetTalk)
	return resp.GetTalk(), err
}

// LetSpectatorsRead says whether spectators may read what is said at the table; for the owner.
func (g *Game) LetSpectatorsRead(ctx context.Context, read bool) (*v1.Talk, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name,
		&v1.UpdateTalkRequest{Name: g.name + "/talk", SpectatorsRead: &read}, g.client.talk.UpdateTalk)
	return resp.GetTalk(), err
}

// MuteSeat hides from the handle's seat what another one writes. For the owner, with forAll, the other one writes
// nothing to anybody else.
func (g *Game) MuteSeat(ctx context.Context, seat string, forAll bool) (*v1.Talk, error) {
	req := &v1.MuteSeatRequest{Name: g.name, Muted: seat, ForAll: forAll}
	if !forAll {
		req.Seat = g.seat
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.talk.MuteSeat)
	return resp.GetTalk(), err
}

// UnmuteSeat takes that back.
func (g *Game) UnmuteSeat(ctx context.Context, seat string, forAll bool) (*v1.Talk, error) {
	req := &v1.UnmuteSeatRequest{Name: g.name, Muted: seat, ForAll: forAll}
	if !forAll {
		req.Seat = g.seat
	}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.talk.UnmuteSeat)
	return resp.GetTalk(), err
}

// ReportMessage tells the owner of a message of somebody else, by its name.
func (g *Game) ReportMessage(ctx context.Context, name, reason string) error {
	_, err := call(ctx, g.client, g.tokens, g.name,
		&v1.ReportMessageRequest{Name: name, Seat: g.seat, Reason: reason}, g.client.talk.ReportMessage)
	return err
}

// Reports returns what was reported, oldest first; for the owner.
func (g *Game) Reports(ctx context.Context) ([]*v1.Report, error) {
	resp, err := call(ctx, g.client, g.tokens, g.name, &v1.ListReportsRequest{Parent: g.name},
		g.client.talk.ListReports)
	return resp.GetReports(), err
}
