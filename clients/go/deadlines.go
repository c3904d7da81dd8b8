package warledger

import (
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// ProposeDeadlines asks those who hold seats to play by other deadlines; nil is by none. done is true if they hold at
// once. Owner only; tokens of seats that come along agree for those.
func (g *Game) ProposeDeadlines(ctx context.Context, d *logv1.Deadlines) (game *v1.Game, done bool, err error) {
	req := &v1.ProposeDeadlinesRequest{Name: g.name, Deadlines: d, RequestId: newID()}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.deadlines.ProposeDeadlines)
	return resp.GetGame(), resp.GetDone(), err
}

// AnswerDeadlines agrees to the proposal of a version, or refuses it. done is true if all have agreed.
func (g *Game) AnswerDeadlines(ctx context.Context, proposed uint64, agree bool) (game *v1.Game, done bool, err error) {
	req := &v1.AnswerDeadlinesRequest{Name: g.name, Seat: g.seat, Proposed: proposed, Agree: agree, RequestId: newID()}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.deadlines.AnswerDeadlines)
	return resp.GetGame(), resp.GetDone(), err
}

// TakeHoliday lets the seat's time stand still for so many days of 24 hours.
func (g *Game) TakeHoliday(ctx context.Context, days int) (*v1.Game, error) {
	req := &v1.TakeHolidayRequest{Name: g.name, Seat: g.seat, Days: int32(days), RequestId: newID()}
	resp, err := call(ctx, g.client, g.tokens, g.name, req, g.client.deadlines.TakeHoliday)
	return resp.GetGame(), err
}
