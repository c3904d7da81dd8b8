package discord

import (
	"errors"
	"fmt"
	"strings"

	"github.com/disgoorg/disgo/discord"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/languages"
)

// words are what the bridge says by itself, in English and Japanese; the rest comes from the server.
var words = map[string][2]string{
	"headMoved":         {"The game is back at record %d.", "ゲームは記録%dの時点に戻りました。"},
	"somethingHappened": {"Something happened that this channel may not see.", "このチャンネルには見えないことが起こりました。"},
	"yourTurn":          {"(**%s**): your turn. %s", "（**%s**）の番です。%s"},
	"choose":            {"My choices", "選択肢を見る"},
	"myBoard":           {"My board", "自分の盤面"},
	"undoAsked":         {"%s: may this be taken back?", "%s：取り消しに同意しますか？"},
	"agree":             {"Agree", "同意する"},
	"refuse":            {"Refuse", "拒否する"},
	"agreed":            {"You agreed. Everyone has, so it is taken back.", "同意しました。全員が同意したので取り消されました。"},
	"agreedWaiting":     {"You agreed. Others are still to answer.", "同意しました。ほかの回答を待っています。"},
	"refused":           {"You refused. Nothing is taken back.", "拒否しました。取り消されません。"},
	"notAsked":          {"Nobody waits for your consent here.", "あなたの同意は求められていません。"},
	"created": {"The game begins in this channel. `/warledger join` takes a seat.",
		"このチャンネルでゲームを始めます。`/warledger join` で席に着けます。"},
	"busy": {"This channel has a game that goes on. Open a thread or another channel for a new one, or close this one.",
		"このチャンネルでは別のゲームが進行中です。スレッドか別のチャンネルを使うか、今のゲームを閉じてください。"},
	"noGame": {"There is no game in this channel. `/warledger create` begins one.",
		"このチャンネルにゲームはありません。`/warledger create` で始められます。"},
	"later": {"The server cannot be reached just now. It will be done as soon as it is back.",
		"サーバーに接続できません。復旧しだい実行します。"},
	"joined": {"You sit at **%s**. What only you may see comes to you alone. `/warledger say` talks to the " +
		"others; with `/warledger talk private` you are told by direct messages what they say.",
		"**%s**の席に着きました。あなただけの情報はあなたにのみ表示されます。" +
			"`/warledger say` で発言し、`/warledger talk private` でほかの人の発言をダイレクトメッセージで受け取れます。"},
	"badAudience":   {"Choose who reads it: table, side or note.", "相手は table、side、note のいずれかです。"},
	"spoken":        {"You said: %s", "発言しました：%s"},
	"toSide":        {" (to the side)", "（自陣営へ）"},
	"asNote":        {" (note)", "（メモ）"},
	"atUndone":      {" [record %d, undone]", "［記録%d、取り消し済み］"},
	"noMessages":    {"There are no messages that you may read.", "読める発言はありません。"},
	"unsaid":        {"The message is gone.", "発言を削除しました。"},
	"reported":      {"The player who began the game can read your report.", "ゲームを始めた人が報告を読めます。"},
	"reportedBy":    {"%s reports %s: %s", "%sから%sについての報告：%s"},
	"noReports":     {"Nothing was reported.", "報告はありません。"},
	"muted":         {"You do not read **%s** any more. Nobody is told.", "**%s**の発言を読まないようにしました。誰にも知らされません。"},
	"mutedAll":      {"**%s** is muted for everybody.", "**%s**の発言を止めました。"},
	"heard":         {"You read **%s** again.", "**%s**の発言を再び読みます。"},
	"heardAll":      {"**%s** may write again.", "**%s**は再び発言できます。"},
	"channelHears":  {"This channel is told what is said at the table.", "全員への発言はこのチャンネルに流れます。"},
	"channelSilent": {"This channel is not told what is said.", "発言はこのチャンネルに流れません。"},
	"privateOn":     {"You are told by direct messages what this channel does not show.", "そのほかの発言はダイレクトメッセージで届きます。"},
	"privateOff":    {"You are told nothing by direct messages.", "ダイレクトメッセージでは届きません。"},
	"privateBegins": {"Messages to you in %s appear here.", "%sでのあなたへの発言はここに表示されます。"},
	"privateRefused": {"Discord does not let the bridge write to you: allow direct messages from this server.",
		"ダイレクトメッセージを送れません。このサーバーからのメッセージを許可してください。"},
	"hiddenSeats": {"You do not read: %s", "読まない席：%s"},
	"mutedSeats":  {"Muted by the player who began the game: %s", "発言を止められた席：%s"},
	"left":        {"You have left **%s**.", "**%s**の席を離れました。"},
	"freed":       {"**%s** is free.", "**%s**の席を空けました。"},
	"guarded": {"**%s** is guarded: whoever takes it sees what its last holder saw. The others must agree first; who " +
		"began the game asks them with `/warledger offer`.",
		"**%s**の席は保護されています。着く人は前の担当者が見たものをすべて見るため、先にほかの人の同意が必要です。ゲームを始めた人が `/warledger offer` で同意を求められます。"},
	"guardedSince": {"guarded since %s", "%sから保護中"},
	"offerAsked": {"%s: may **%s** be taken by whoever the owner lets in? They would see what its last holder saw.",
		"%s：**%s**の席に、主催者が認める人が着いてもよいですか？ 着いた人は前の担当者が見たものをすべて見ます。"},
	"offerNobody": {"Nobody is there who could agree. Its last holder may still take the seat; `/warledger " +
		"close` ends the game for everyone.", "同意できる人がいません。前の担当者はまだ席に着けます。`/warledger close` で対局を終えられます。"},
	"offerWaits": {"**%s** is offered. Waiting for: %s", "**%s**の席が申し出られています。回答待ち：%s"},
	"seatAgreed": {"You agreed. Everyone has: `/warledger join` takes **%s**.",
		"同意しました。全員が同意したので `/warledger join` で**%s**の席に着けます。"},
	"seatRefused":    {"You refused. **%s** stays guarded.", "拒否しました。**%s**の席は保護されたままです。"},
	"noSeat":         {"You hold no seat of this game.", "このゲームの席に着いていません。"},
	"whichSeat":      {"You hold several seats: say which one.", "複数の席に着いています。席を指定してください。"},
	"notYourSeat":    {"You do not hold that seat.", "その席には着いていません。"},
	"done":           {"Done: %s", "実行しました：%s"},
	"undone":         {"Taken back.", "取り消しました。"},
	"undoPending":    {"The others are asked.", "ほかのプレイヤーに同意を求めました。"},
	"redone":         {"Done again.", "やり直しました。"},
	"nothingToDo":    {"There is nothing for **%s** to do now.", "**%s**が今できることはありません。"},
	"movedOn":        {"The game has moved on meanwhile; this is what may be done now.", "ゲームが進みました。現在の選択肢です。"},
	"pickKind":       {"What to do (%d in all)", "行動を選ぶ（全%d件）"},
	"pickPiece":      {"With what", "対象を選ぶ"},
	"pickAction":     {"Which (%d to %d of %d)", "選ぶ（%d～%d／全%d件）"},
	"pickSeat":       {"For which seat", "席を選ぶ"},
	"other":          {"anything else", "その他"},
	"earlier":        {"◀ Earlier", "◀ 前"},
	"more":           {"More ▶", "次 ▶"},
	"back":           {"Back", "戻る"},
	"offersButton":   {"Offers …", "申し出…"},
	"offersOf":       {"What **%s** may say at any time:", "**%s**がいつでも申し出られること："},
	"pickOffer":      {"Which offer", "申し出を選ぶ"},
	"noOffers":       {"There is nothing to offer now.", "今申し出られることはありません。"},
	"sureOffer":      {"**%s** for **%s**? This may end the game.", "**%[2]s**：**%[1]s** — ゲームが終わることがあります。よろしいですか？"},
	"noOrdersHere":   {"This game has no standing orders.", "このゲームに常時命令はありません。"},
	"ordersOf":       {"Standing orders of **%s**, which nobody else sees:", "**%s**の常時命令（ほかの人には見えません）："},
	"ordersNone":     {"**%s** has given no standing orders.", "**%s**は常時命令を与えていません。"},
	"ordersPossible": {"Which order does **%s** give?", "**%s**の常時命令を選んでください。"},
	"giveOrder":      {"Give an order …", "命令を与える…"},
	"usualOrders":    {"The usual orders", "通常の命令"},
	"dropAll":        {"Cancel all", "すべて取り消す"},
	"dropOrder":      {"Cancel: %s", "取り消す：%s"},
	"pickDrop":       {"Cancel an order", "取り消す命令を選ぶ"},
	"typeOrder": {"Type an order: `/warledger orders` with the option `command`.",
		"`/warledger orders` の `command` に命令を入力してください。"},
	"undoButton": {"Undo", "取り消す"},
	"version":    {"Record %d of %d", "記録 %d／%d"},
	"closed":     {"The game is closed.", "ゲームを閉じました。"},
	"notCreator": {"Only the player who began the game may do that.", "それができるのはゲームを始めた人だけです。"},
	"noSpace":    {"The map has no space %q.", "地図に%qはありません。"},
	"badOption": {"%q is no option: write name=value, with blanks between them.",
		"%qはオプションではありません。「名前=値」を空白で区切ってください。"},
	"gone":        {"That is no longer on the list.", "その選択肢はもうありません。"},
	"wrong":       {"Something went wrong; the bridge's log has more.", "問題が発生しました。"},
	"unreachable": {"The server cannot be reached just now.", "サーバーに接続できません。"},
	"free":        {"free", "空席"},
	"dicePending": {"The dice wait for: %s", "サイコロの応答待ち：%s"},
	"doneLater":   {"The move is made as soon as the dice are there. They wait for: %s", "サイコロが振られしだい実行します。応答待ち：%s"},
	"logInconsistent": {"The server's log contradicts what it showed before. It may be choosing the dice, so the " +
		"bridge does not answer. Ask the operator why.", "サーバーの記録が以前に示したものと矛盾しています。出目を選んでいるおそれがあるため応答しません。"},
	"chainReplaced": {"⚠ The server has other numbers for the dice of a seat than the bridge sent: somebody with the " +
		"seat's token answers in the player's name. If it was no other program of yours, stop playing there.",
		"⚠ 席のサイコロの数列が、ブリッジの送ったものと異なります。席のトークンを持つ誰かが本人の名で応答しています。ご自身の別のプログラムでなければ、そのサーバーでのプレイをやめてください。"},
	"takenBack": {"⚠ %s: record %d takes back the dice of record %d, and the bridge has no consent of yours to that. " +
		"Somebody with the seat's token may be throwing again in your name, so the bridge does not answer. If you " +
		"did not agree with another program, stop playing there.",
		"⚠ %s：記録%dが記録%dのサイコロを取り消しましたが、ブリッジはご本人の同意を受けていません。" +
			"席のトークンを持つ誰かが本人の名で振り直しているおそれがあるため応答しません。ご自身の別のプログラムで同意したのでなければ、そのサーバーでのプレイをやめてください。"},
	"takenByMe":    {"I agreed elsewhere", "別の所で同意した"},
	"undoAccepted": {"The bridge goes on answering for you.", "応答を続けます。"},
	"waits":        {"The game waits for: %s", "待ち：%s"},
	"over":         {"The game is over. %s", "ゲーム終了。%s"},
	"onBoard":      {"Web board: %s", "ウェブ盤：%s"},
}

// say is a sentence in a language, English if it is not known.
func say(lang, key string, args ...any) string {
	return fmt.Sprintf(languages.Say(lang, words[key][0], words[key][1]), args...)
}

// language is the one of ours that is nearest to a locale of Discord.
func language(l discord.Locale) string {
	if tag, ok := languages.Match(l.Code()); ok {
		return tag
	}
	return "en"
}

// escaper keeps names from being taken for Markdown or mentions, and control characters out of them.
var escaper = strings.NewReplacer(`\`, `\\`,
	"*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, ">", `\>`, "#", `\#`, "[", `\[`, "<", `\<`, "@", "@\u200b")

func escape(text string) string { return escaper.Replace(warledger.Printable(text)) }

// shorten cuts a text to a number of letters.
func shorten(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most-1]) + "…"
}

// complaint is an error in words for a player; ok is false if it says nothing that a player could use.
func complaint(lang string, err error) (text string, ok bool) {
	var refused *warledger.Refused
	var known *warledger.Error
	var ours complain
	switch {
	case errors.As(err, &ours):
		return say(lang, ours.key, ours.args...), true
	case errors.Is(err, errNoTable):
		return say(lang, "noGame"), true
	case errors.Is(err, errBusy):
		return say(lang, "busy"), true
	case errors.As(err, &refused):
		text = refused.Words
		if text == "" {
			text = refused.Message
		}
		if refused.Rule != "" {
			text += " [" + strings.TrimSpace(refused.Rule+" "+refused.Title) + "]"
		}
		return escape(text), true
	case unreachable(err):
		return say(lang, "unreachable"), true
	case errors.As(err, &known) && known.Reason != "" && known.Reason != warledger.ErrInternal:
		return escape(known.Message), true
	}
	return say(lang, "wrong"), false
}

// complain is a mistake of a player, in the bridge's own words.
type complain struct {
	key  string
	args []any
}

func (c complain) Error() string { return say("en", c.key, c.args...) }

func wrong(key string, args ...any) error { return complain{key, args} }
