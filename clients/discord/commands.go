package discord

import (
	"github.com/disgoorg/disgo/discord"

	"github.com/warledger/warledger/languages"
)

// commandName is the one command that the bridge has; all else are its subcommands.
const commandName = "warledger"

// described returns a text in each language that both Discord and this program have, except English.
func described(en, ja string) map[discord.Locale]string {
	in := map[discord.Locale]string{discord.LocaleJapanese: ja}
	for locale := range discord.Locales {
		if tag, ok := languages.Match(locale.Code()); ok && languages.Find(tag) != nil {
			in[locale] = languages.Say(tag, en, ja)
		}
	}
	return in
}

// spoken lists the languages that a channel may have, by their own names.
func spoken() (list []discord.ApplicationCommandOptionChoiceString) {
	for _, tag := range languages.Tags() {
		list = append(list, discord.ApplicationCommandOptionChoiceString{Name: languages.Name(tag), Value: tag})
	}
	return list
}

func text(name, en, ja string, required, auto bool) discord.ApplicationCommandOption {
	return discord.ApplicationCommandOptionString{Name: name, Description: en,
		DescriptionLocalizations: described(en, ja), Required: required, Autocomplete: auto}
}

func whole(name, en, ja string, least int) discord.ApplicationCommandOption {
	return discord.ApplicationCommandOptionInt{Name: name, Description: en, DescriptionLocalizations: described(en, ja),
		MinValue: &least}
}

func sub(name, en, ja string, options ...discord.ApplicationCommandOption) discord.ApplicationCommandOption {
	return discord.ApplicationCommandOptionSubCommand{Name: name, Description: en,
		DescriptionLocalizations: described(en, ja), Options: options}
}

var anySeat = text("seat", "Seat to act for, if you hold several", "複数の席に着いている場合の席", false, true)

// commands are what is registered at Discord.
func commands() []discord.ApplicationCommandCreate {
	language := discord.ApplicationCommandOptionString{
		Name: "language", Description: "Language of the channel",
		DescriptionLocalizations: described("Language of the channel", "チャンネルの言語"),
		Choices:                  spoken(),
	}
	dice := discord.ApplicationCommandOptionString{
		Name: "dice", Description: "Who throws the dice",
		DescriptionLocalizations: described("Who throws the dice", "サイコロの振り方"),
		Choices: []discord.ApplicationCommandOptionChoiceString{
			{Name: "The server", Value: "committed", NameLocalizations: described("The server", "サーバー")},
			{Name: "The server and all seats together", Value: "mutual",
				NameLocalizations: described("The server and all seats together", "サーバーと全席")},
		},
	}
	yes := func(name, en, ja string) discord.ApplicationCommandOption {
		return discord.ApplicationCommandOptionBool{Name: name, Description: en,
			DescriptionLocalizations: described(en, ja)}
	}
	longest := 1000
	words := discord.ApplicationCommandOptionString{Name: "text", Description: "What to say, one line",
		DescriptionLocalizations: described("What to say, one line", "一行の発言"), Required: true, MaxLength: &longest}
	to := discord.ApplicationCommandOptionString{
		Name: "to", Description: "Who reads it; the table if not given",
		DescriptionLocalizations: described("Who reads it; the table if not given", "読む相手（省略時は全員）"),
		Choices: []discord.ApplicationCommandOptionChoiceString{
			{Name: "The table", Value: "table", NameLocalizations: described("The table", "全員")},
			{Name: "My side", Value: "side", NameLocalizations: described("My side", "自陣営")},
			{Name: "Myself: a note", Value: "note",
				NameLocalizations: described("Myself: a note", "自分（メモ）")},
		},
	}
	mine := discord.ApplicationCommandOptionBool{
		Name: "mine", Description: "As you see it, to you alone",
		DescriptionLocalizations: described("As you see it, to you alone", "自分の視点で、自分だけに表示"),
	}
	return []discord.ApplicationCommandCreate{discord.SlashCommandCreate{
		Name: commandName, Description: "Play a board wargame in this channel",
		DescriptionLocalizations: described("Play a board wargame in this channel", "このチャンネルでウォーゲームを遊ぶ"),
		Contexts:                 []discord.InteractionContextType{discord.InteractionContextTypeGuild},
		Options: []discord.ApplicationCommandOption{
			sub("create", "Begin a game in this channel", "このチャンネルでゲームを始める",
				text("ruleset", "Rulebook", "ルール", true, true), text("scenario", "Scenario", "シナリオ", true, true),
				text("options", "Options, as in length=short pursuit=true",
					"オプション（例：length=short pursuit=true）", false, true),
				text("title", "Title of the game", "題名", false, false), dice, language),
			sub("join", "Take a seat", "席に着く", text("seat", "Seat", "席", true, true)),
			sub("leave", "Leave a seat", "席を離れる", text("seat", "Seat", "席", true, true)),
			sub("free", "Free a seat whose player is gone; only the player who began the game may",
				"いなくなった人の席を空ける（始めた人のみ）",
				text("seat", "Seat", "席", true, true)),
			sub("offer", "Ask the others whether a guarded seat may be taken; only the player who began the game may",
				"保護された席を渡してよいか尋ねる（始めた人のみ）",
				text("seat", "Seat", "席", true, true)),
			sub("status", "Who sits where and whom the game waits for", "席と手番を表示"),
			sub("show", "Show the board", "盤面を表示する",
				text("space", "Space in the middle, for a part of the map", "中心にする場所", false, false),
				whole("radius", "How many spaces around it", "周囲の広さ", 1),
				whole("version", "As it was after this record", "この記録の時点", 1), mine),
			sub("move", "Do something, or see what you may do",
				"行動する・選択肢を見る", text("command", "What to do", "行動", false, true), anySeat),
			sub("orders", "List, give or cancel standing orders: answers in advance", "常時命令の一覧・指示・取り消し",
				text("command", "Order", "命令", false, true), anySeat),
			sub("undo", "Take something back, or ask the others to agree", "取り消す（必要なら同意を求める）",
				whole("version", "Record to go back to; before the last command if not given", "戻る記録", 1), anySeat),
			sub("redo", "Take an undo back", "やり直す", anySeat),
			sub("replay", "Step through the game, to you alone",
				"自分だけに再生する", whole("version", "Record to begin with", "最初の記録", 1)),
			sub("close", "End the game without a result; only the player who began it may", "結果なしで終える（始めた人のみ）"),
			sub("say", "Say something to the table, to your side or to yourself", "発言する", words, to,
				text("space", "Pin it to a space of the map", "地図の場所に留める", false, false),
				whole("record", "Pin it to a record", "記録に留める", 1), anySeat),
			sub("messages", "Show the messages that you may read", "発言を読む"),
			sub("unsay", "Delete a message for everybody", "発言を削除する", text("message", "Message", "発言", true, true)),
			sub("report", "Report a message to the player who began the game", "発言を報告する",
				text("message", "Message", "発言", true, true), text("reason", "Why", "理由", true, false), anySeat),
			sub("reports", "What was reported; only for the player who began the game", "報告を読む（始めた人のみ）"),
			sub("mute", "Do not read what a seat writes", "席の発言を読まない", text("seat", "Seat", "席", true, true),
				yes("all", "Mute it for everybody; only the player who began the game may",
					"全員への発言を止める（始めた人のみ）"),
				yes("lift", "Read it again", "解除する")),
			sub("talk", "Who is told what is said", "発言を誰に伝えるか",
				yes("private", "Tell me by direct messages", "ダイレクトメッセージで伝える"),
				yes("spectators", "Tell the channel what is said at the table; only the player who began the game may",
					"全員への発言をチャンネルに流す（始めた人のみ）")),
		},
	}}
}
