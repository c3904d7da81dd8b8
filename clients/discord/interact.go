package discord

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/events"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	// patience is how long a command may take; a player will not wait longer.
	patience = 60 * time.Second
	// answerIn is how long completions may take: Discord gives three seconds.
	answerIn = 2500 * time.Millisecond
)

// talk is one interaction with one player. What is said in it is seen by that player alone, unless it is open.
type talk struct {
	*Bridge
	ctx     context.Context
	from    interaction
	respond events.InteractionResponderFunc
	user    snowflake.ID
	channel snowflake.ID
	// lang is the player's language.
	lang string
}

// interaction is what all interactions of the library have.
type interaction interface {
	ID() snowflake.ID
	Token() string
	User() discord.User
	Channel() discord.InteractionChannel
	Locale() discord.Locale
	GuildLocale() *discord.Locale
}

func (b *Bridge) onCommand(e *events.ApplicationCommandInteractionCreate) {
	data, ok := e.Data.(discord.SlashCommandInteractionData)
	if !ok || data.CommandName() != commandName || data.SubCommandName == nil {
		return
	}
	open := *data.SubCommandName == "show" && !data.Bool("mine")
	ack := discord.InteractionResponseTypeDeferredCreateMessage
	b.begin(e, e.Respond, ack, !open, func(t *talk) error { return t.command(*data.SubCommandName, data) })
}

func (b *Bridge) onComponent(e *events.ComponentInteractionCreate) {
	kind, rest, _ := strings.Cut(e.Data.CustomID(), "|")
	// Buttons under messages of the channel are answered by a message of one's own, those under such a
	// message by changing it.
	ack := discord.InteractionResponseTypeDeferredUpdateMessage
	if kind == "menu" || kind == "look" || kind == "undo" || kind == "offer" || kind == "taken" {
		ack = discord.InteractionResponseTypeDeferredCreateMessage
	}
	var values []string
	if menu, ok := e.Data.(discord.StringSelectMenuInteractionData); ok {
		values = menu.Values
	}
	b.begin(e, e.Respond, ack, true, func(t *talk) error { return t.component(kind, strings.Split(rest, "|"), values) })
}

// begin acknowledges an interaction and works on it beside others. A player is told what went wrong.
func (b *Bridge) begin(
	from interaction, respond events.InteractionResponderFunc, ack discord.InteractionResponseType, alone bool,
	do func(*talk) error,
) {
	b.start(func() {
		ctx, done := context.WithTimeout(b.ctx, patience)
		defer done()
		channel := from.Channel()
		if channel.MessageChannel == nil {
			return
		}
		t := &talk{Bridge: b, ctx: ctx, from: from, respond: respond, user: from.User().ID, channel: channel.ID(),
			lang: language(from.Locale())}
		var data discord.InteractionResponseData
		if alone && ack == discord.InteractionResponseTypeDeferredCreateMessage {
			data = discord.MessageCreate{Flags: discord.MessageFlagEphemeral}
		}
		if err := respond(ack, data, rest.WithCtx(ctx)); err != nil {
			b.log.Warn("an interaction could not be acknowledged", "err", plain(err))
			return
		}
		if b.busy.Acquire(ctx, 1) != nil {
			return
		}
		defer b.busy.Release(1)
		if err := do(t); err != nil {
			text, known := complaint(t.lang, err)
			if !known {
				b.log.Error("an interaction failed", "err", safe(err))
			}
			t.say(text)
		}
	})
}

// safe is what may be logged of an error.
func safe(err error) error {
	if s, ok := status.FromError(err); ok {
		return fmt.Errorf("%s: %s", s.Code(), s.Message())
	}
	return plain(err)
}

func unreachable(err error) bool {
	c := status.Code(err)
	return c == codes.Unavailable || c == codes.DeadlineExceeded
}

// answer fills the message that was promised. Links in it get no preview, because a stranger may have written them.
func (t *talk) answer(m discord.MessageUpdate) {
	m = m.WithSuppressEmbeds(m.Embeds == nil)
	if m.Components == nil {
		m.Components = &[]discord.LayoutComponent{}
	}
	if m.Attachments == nil {
		m.Attachments = &[]discord.AttachmentUpdate{}
	}
	if _, err := t.client.Rest.UpdateInteractionResponse(t.app, t.from.Token(), m, rest.WithCtx(t.ctx)); err != nil {
		t.log.Warn("an answer could not be given", "err", plain(err))
	}
}

func (t *talk) say(text string) {
	t.answer(discord.NewMessageUpdate().WithContent(shorten(text, 1900)))
}

// request is the id of the change that an interaction asks for, the same however often it is delivered,
// and not to be guessed.
func (t *talk) request() string {
	sum := sha256.Sum256([]byte("warledger " + t.from.ID().String() + " " + t.from.Token()))
	id := uuid.UUID(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80 // a random one, version 4
	return id.String()
}

// command does what a slash command asks for.
func (t *talk) command(name string, data discord.SlashCommandInteractionData) error {
	if name == "create" {
		return t.create(data)
	}
	at, err := t.store.at(t.channel)
	if err != nil {
		return err
	}
	switch name {
	case "join":
		return t.join(at, data.String("seat"))
	case "leave":
		return t.leave(at, data.String("seat"))
	case "free":
		return t.freeSeat(at, data.String("seat"))
	case "offer":
		return t.offer(at, data.String("seat"))
	case "status":
		return t.status(at)
	case "show":
		return t.show(at, data)
	case "move":
		return t.move(at, data.String("command"), data.String("seat"))
	case "orders":
		return t.orders(at, data.String("command"), data.String("seat"))
	case "undo":
		return t.undo(at, data.Int("version"), data.String("seat"))
	case "redo":
		return t.redo(at, data.String("seat"))
	case "replay":
		return t.replay(at, data.Int("version"))
	case "close":
		return t.closeGame(at)
	case "say":
		return t.speak(at, data)
	case "messages":
		return t.messages(at)
	case "unsay":
		return t.unsay(at, data.String("message"))
	case "report":
		return t.report(at, data.String("message"), data.String("reason"), data.String("seat"))
	case "reports":
		return t.reports(at)
	case "mute":
		return t.mute(at, data.String("seat"), data.Bool("all"), data.Bool("lift"))
	case "talk":
		return t.talkSettings(at, data)
	}
	return nil
}

// component does what a button or menu asks for.
func (t *talk) component(kind string, args, values []string) error {
	at, err := t.store.at(t.channel)
	if err != nil {
		return err
	}
	for len(args) < 5 {
		args = append(args, "")
	}
	if len(values) > 0 {
		args = append(values[:1:1], args...)
	} else {
		args = append([]string{""}, args...)
	}
	switch kind {
	case "menu":
		return t.move(at, "", "")
	case "look":
		return t.look(at, 0)
	case "seat":
		return t.menu(at, args[0], place{}, "")
	case "top", "kind", "piece", "page":
		return t.browse(at, kind, args)
	case "act":
		return t.act(at, args)
	case "asides":
		return t.offerMenu(at, args[1], "")
	case "aside":
		return t.makeOffer(at, args, false)
	case "sure":
		return t.makeOffer(at, []string{args[3], args[1], args[2]}, true)
	case "orders":
		return t.orders(at, "", args[1])
	case "order-give", "order-set", "order-drop", "order-usual", "order-none":
		return t.orderChoice(at, kind, args)
	case "back":
		return t.undo(at, 0, args[1])
	case "undo":
		return t.consent(at, args)
	case "offer":
		return t.answerOffer(at, args[1], args[2], args[3])
	case "taken":
		return t.acceptUndo(at, args[1], args[2])
	case "past":
		return t.look(at, number(args[1]))
	}
	return nil
}
