package discord

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/snowflake/v2"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// create begins a game in the channel.
func (t *talk) create(data discord.SlashCommandInteractionData) error {
	options, err := parseOptions(data.String("options"))
	if err != nil {
		return err
	}
	lang := data.String("language")
	if lang == "" {
		lang = t.lang
		if l := t.from.GuildLocale(); l != nil {
			lang = language(*l)
		}
	}
	req := &v1.CreateGameRequest{
		RequestId: t.request(), Ruleset: "rulesets/" + data.String("ruleset"),
		Source:  &v1.CreateGameRequest_Scenario{Scenario: data.String("scenario")},
		Options: options, Title: data.String("title"), Dice: logv1.DiceKind_DICE_KIND_COMMITTED,
	}
	if data.String("dice") == "mutual" {
		req.Dice = logv1.DiceKind_DICE_KIND_MUTUAL
	}
	i, err := newIntent(t, lang, req)
	if err != nil {
		return err
	}
	return t.carryOut(req.RequestId, i, "created")
}

// parseOptions reads "name=value name=value".
func parseOptions(text string) (map[string]string, error) {
	options := make(map[string]string)
	for _, one := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\u3000' }) {
		name, value, ok := strings.Cut(one, "=")
		if !ok || name == "" {
			return nil, wrong("badOption", one)
		}
		options[name] = value
	}
	return options, nil
}

func newIntent(t *talk, lang string, req proto.Message) (intent, error) {
	i := intent{Channel: t.channel, User: t.user, Lang: lang}
	data, err := protojson.Marshal(req)
	switch req.(type) {
	case *v1.CreateGameRequest:
		i.Create = json.RawMessage(data)
	case *v1.TakeSeatRequest:
		i.Take = json.RawMessage(data)
	}
	return i, err
}

// carryOut keeps an intent, has it done and says so. When the server is away it goes on trying
// after the player was told.
func (t *talk) carryOut(id string, i intent, key string, args ...any) error {
	if err := t.store.intend(id, i); err != nil {
		return err
	}
	err := t.finish(t.ctx, id, i)
	if err == nil {
		t.say(say(t.lang, key, args...))
		return nil
	}
	if !unreachable(err) && t.ctx.Err() == nil {
		return err
	}
	b := t.Bridge
	b.start(func() { b.keepTrying(id, i) })
	return wrong("later")
}

// keepTrying finishes an intent when the server is back.
func (b *Bridge) keepTrying(id string, i intent) {
	for pause := b.set.Retry; ; pause = min(2*pause, longestRetry) {
		err := b.finish(b.ctx, id, i)
		if err == nil || b.ctx.Err() != nil {
			return // what is not done yet is kept, and done after the next start
		}
		if !unreachable(err) {
			b.log.Warn("what was asked for is refused", "err", safe(err))
			return
		}
		select {
		case <-time.After(pause):
		case <-b.ctx.Done():
			return
		}
	}
}

// finish asks the server for what was intended and keeps the answer. The request's id makes it the same answer however
// often it is asked. What the server refuses is forgotten.
func (b *Bridge) finish(ctx context.Context, id string, i intent) error {
	var err error
	if i.Create != nil {
		err = b.finishCreate(ctx, id, i)
	} else {
		err = b.finishTake(ctx, id, i)
	}
	if err == nil || unreachable(err) || ctx.Err() != nil {
		return err
	}
	return errors.Join(err, b.store.drop(id))
}

func (b *Bridge) finishCreate(ctx context.Context, id string, i intent) error {
	req := new(v1.CreateGameRequest)
	if err := protojson.Unmarshal(i.Create, req); err != nil {
		return err
	}
	made, err := b.set.Server.Create(ctx, req)
	if err != nil {
		return err
	}
	err = b.store.settle(id, made.GetGame().GetName(), func(t *table) {
		t.Channel, t.Creator, t.Owner, t.Lang = i.Channel, i.User, made.GetOwnerToken(), i.Lang
	})
	if err == nil {
		b.follow(made.GetGame().GetName())
		b.listen(made.GetGame().GetName())
	}
	return err
}

// takeSeat takes a seat, with the token from then if the player held it last. The bridge may not have noted yet that
// they were put out: then their token is still that of the seat.
func (b *Bridge) takeSeat(
	ctx context.Context, req *v1.TakeSeatRequest, user snowflake.ID,
) (*v1.TakeSeatResponse, error) {
	t, err := b.store.table(req.GetName())
	if err != nil && !errors.Is(err, errNoTable) {
		return nil, err
	}
	var last hold
	if t != nil {
		last, _ = t.lasting(req.GetSeat())
	}
	if last.User != user {
		return b.set.Server.Games().TakeSeat(ctx, req)
	}
	taken, err := b.set.Server.Games().TakeSeat(warledger.WithBearer(ctx, last.Token), req)
	// somebody has held the seat since, or this very request has taken it
	if errors.Is(err, warledger.ErrTokenRevoked) {
		return b.set.Server.Games().TakeSeat(ctx, req)
	}
	return taken, err
}

func (b *Bridge) finishTake(ctx context.Context, id string, i intent) error {
	req := new(v1.TakeSeatRequest)
	if err := protojson.Unmarshal(i.Take, req); err != nil {
		return err
	}
	taken, err := b.takeSeat(ctx, req, i.User)
	if err != nil {
		return err
	}
	err = b.store.settle(id, req.GetName(), func(t *table) {
		t.Seats[req.GetSeat()] = hold{User: i.User, Token: taken.GetSeatToken(), Since: taken.GetGame().GetVersion()}
		delete(t.Former, req.GetSeat())
		delete(t.Turns, req.GetSeat())
	})
	b.nudge(req.GetName())
	b.listen(req.GetName())
	return err
}
