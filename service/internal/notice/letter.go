package notice

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/warledger/warledger/languages"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
	"github.com/warledger/warledger/service/mail"
)

// MailPages begins the paths of the pages that mails lead to.
const MailPages = "/mail/"

// Bounds of what a mail tells.
const (
	mostTold    = 60  // sentences
	mostBackRun = 500 // records that are read for them
)

// letterKey names a phrase of a mail.
type letterKey int

const (
	letterAsked letterKey = iota
	letterReminder
	letterOver
	letterConfirm
	letterEvicted
	letterHappened
	letterEarlier
	letterQuestion
	letterDue
	letterLink
	letterEnd
	letterConfirmText
	letterConfirmCode
	letterConfirmIgnore
	letterEvictedText
	letterSaid
	letterSaidBy
	letterToSide
)

// letterTexts are the phrases in English and Japanese; {} is the place to fill.
var letterTexts = [...][2]string{
	letterAsked:    {"{}: your decision", "{}：あなたの決定待ちです"},
	letterReminder: {"{}: your time is almost up", "{}：持ち時間が残りわずかです"},
	letterOver:     {"{}: the game is over", "{}：ゲームが終了しました"},
	letterConfirm:  {"{}: do you want mail?", "{}：メール通知の確認"},
	letterEvicted:  {"{}: you have lost your seat", "{}：席を失いました"},
	letterHappened: {"What happened since your last action:", "前回のあなたの行動以降の出来事："},
	letterEarlier:  {"(and more before that)", "（これより前の出来事は省略）"},
	letterQuestion: {"What is asked of you, as {}:", "あなた（{}）に求められていること："},
	letterDue:      {"Your time is up at {}.", "期限：{}"},
	letterLink:     {"The game: {}", "ゲーム：{}"},
	letterEnd:      {"You want no more mail of this game? {}", "このゲームのメール通知を停止する：{}"},
	letterConfirmText: {"Somebody who plays {} asked for mail of that game to be sent to this address.",
		"{}のプレイヤーが、このアドレスへのメール通知を希望しました。"},
	letterConfirmCode: {"If it was you, agree here within two days: {}", "ご本人の場合は、2日以内に次のリンクで確認してください：{}"},
	letterConfirmIgnore: {"If it was not, do nothing: there will be no other mail.",
		"心当たりがない場合は何もする必要はありません。以後メールは届きません。"},
	letterSaid:        {"{}: somebody has written to you", "{}：新しいメッセージがあります"},
	letterSaidBy:      {"What was said:", "メッセージ："},
	letterToSide:      {"{} (to your side)", "{}（味方へ）"},
	letterEvictedText: {"Your time was up, and the seat of {} is free for others now.", "持ち時間が切れたため、{}の席は空席になりました。"},
}

func letterText(lang rules.Lang, key letterKey, fill string) string {
	text := languages.Say(string(lang), letterTexts[key][0], letterTexts[key][1])
	return strings.ReplaceAll(text, "{}", fill)
}

// envelope is what all mails to a mailbox have in common.
func (f *follower) envelope(b *logv1.Mailbox, n message, subject letterKey, paragraphs ...string) mail.Message {
	return mail.Message{
		To: b.Address, ID: n.id, Thread: f.l.ID, Language: string(f.lang),
		Subject: letterText(f.lang, subject, f.title()), Text: strings.Join(paragraphs, "\r\n\r\n") + "\r\n",
	}
}

// title is the game's, or that of what is played.
func (f *follower) title() string {
	return cmp.Or(render.Title(f.l), f.l.About.Title.In(f.lang), f.l.About.Name)
}

// mailLink is a page of the server that does something to a mailbox.
func (f *follower) mailLink(purpose string) string {
	return f.n.config.Page + MailPages + purpose + "?" + url.Values{
		"mailbox": {streams.Game(f.l.ID) + "/mailboxes/" + f.id},
		"code":    {tokens.MailCode(f.m.Meta.TokenSecret, purpose, f.id)},
	}.Encode()
}

// question asks whether mail is wanted. It tells nothing of the game but its title.
func (f *follower) question(_ context.Context, b *logv1.Mailbox, n message) (mail.Message, error) {
	msg := f.envelope(b, n, letterConfirm)
	msg.Text = strings.Join([]string{
		letterText(f.lang, letterConfirmText, f.title()),
		letterText(f.lang, letterConfirmCode, f.mailLink(tokens.CodeConfirm)),
		letterText(f.lang, letterConfirmIgnore, ""),
	}, "\r\n\r\n") + "\r\n"
	return msg, nil
}

// farewell tells the last holder of a seat that it is lost, and no more.
func (f *follower) farewell(_ context.Context, b *logv1.Mailbox, n message) (mail.Message, error) {
	seat, _ := f.l.About.SeatByID(b.Seat)
	return f.envelope(b, n, letterEvicted, letterText(f.lang, letterEvictedText, render.SeatName(f.l, seat, f.lang)),
		letterText(f.lang, letterLink, f.n.link(f.l.ID))), nil
}

// quote tells what others have said.
func (f *follower) quote(_ context.Context, b *logv1.Mailbox, n message) (mail.Message, error) {
	var lines []string
	for _, m := range n.said {
		seat, _ := f.l.About.SeatByID(m.Seat)
		by := render.SeatName(f.l, seat, f.lang)
		if m.Audience == v1.Audience_AUDIENCE_SIDE {
			by = letterText(f.lang, letterToSide, by)
		}
		lines = append(lines, by+": "+m.Text)
	}
	end := f.mailLink(tokens.CodeUnsubscribe)
	msg := f.envelope(b, n, letterSaid, letterText(f.lang, letterSaidBy, "")+"\r\n\r\n"+list(lines),
		letterText(f.lang, letterLink, f.n.link(f.l.ID)), letterText(f.lang, letterEnd, end))
	msg.Unsubscribe = end
	return msg, nil
}

// digest tells what happened since the seat's last action, and what is asked of it.
func (f *follower) digest(ctx context.Context, b *logv1.Mailbox, n message) (mail.Message, error) {
	happened, err := f.happened(ctx)
	if err != nil {
		return mail.Message{}, err
	}
	subject := letterAsked
	switch n.kind {
	case logv1.NoticeKind_NOTICE_KIND_REMINDER:
		subject = letterReminder
	case logv1.NoticeKind_NOTICE_KIND_OVER:
		subject = letterOver
	}
	var parts []string
	if e := render.Ending(f.m, f.l, f.lang); e != nil {
		parts = append(parts, e.Text)
	}
	if len(happened) > 0 {
		parts = append(parts, letterText(f.lang, letterHappened, "")+"\r\n\r\n"+list(happened))
	}
	if questions := f.questions(); len(questions) > 0 && !f.m.Table.Over {
		seat, _ := f.l.About.SeatByID(b.Seat)
		parts = append(parts,
			letterText(f.lang, letterQuestion, render.SeatName(f.l, seat, f.lang))+"\r\n\r\n"+list(questions))
	}
	if due := f.due(); !due.IsZero() && !f.m.Table.Over {
		local := due.In(time.FixedZone("", int(f.m.Table.Deadlines.GetUtcOffset().AsDuration()/time.Second)))
		parts = append(parts, letterText(f.lang, letterDue, local.Format("2006-01-02 15:04 -0700")))
	}
	end := f.mailLink(tokens.CodeUnsubscribe)
	parts = append(parts, letterText(f.lang, letterLink, f.n.link(f.l.ID)), letterText(f.lang, letterEnd, end))
	msg := f.envelope(b, n, subject, parts...)
	msg.Unsubscribe = end
	return msg, nil
}

func list(sentences []string) string { return "- " + strings.Join(sentences, "\r\n- ") }

// happened tells the records after the seat's last action in words, those that were taken back aside.
func (f *follower) happened(ctx context.Context) (told []string, err error) {
	from := max(f.state.OwnVersion, f.after)
	short := f.m.Version()-from > mostBackRun
	if short {
		from = f.m.Version() - mostBackRun
	}
	stands := make(map[uint64]bool)
	for v := f.m.Head(); v > from; v = f.m.Tree.Parent(v) {
		stands[v] = true
	}
	show := render.NewRecords(f.n.host.Games, f.l, f.m, f.viewer(), f.lang, false)
	for from < f.m.Version() {
		page, err := f.n.host.Store.Read(ctx, streams.Game(f.l.ID), from+1, int(min(mostAtOnce, f.m.Version()-from)),
			readBytes)
		if err != nil {
			return nil, fault.FromStore(err)
		}
		if len(page) == 0 {
			break
		}
		for i := range page {
			from = page[i].Version
			r, err := ledger.Parse(page[i].Data)
			if err != nil {
				return nil, live.Corrupt(f.l.ID, from, err)
			}
			if kind := r.Header().Kind; kind == logv1.RecordKind_RECORD_KIND_TABLE || stands[from] {
				sentences, err := show.Told(ctx, r)
				if err != nil {
					return nil, err
				}
				told = append(told, sentences...)
			}
		}
	}
	if extra := len(told) - mostTold; extra > 0 || short {
		told = append([]string{letterText(f.lang, letterEarlier, "")}, told[max(0, extra):]...)
	}
	return told, nil
}
