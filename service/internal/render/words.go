package render

import (
	"strings"

	"github.com/warledger/warledger/languages"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/live"
)

// tableKey names a sentence about the table, which no ruleset has.
type tableKey int

const (
	textTaken tableKey = iota
	textLeft
	textFreed
	textResigned
	textGaveUp
	textClosed
	textAsked
	textAgreed
	textRefused
	textReleased
	textForfeited
	textEvicted
	textExpired
	textPlayed
	textProposed
	textDeadlinesAgreed
	textDeadlinesRefused
	textDeadlinesChanged
	textHoliday
	textDiceAsked
	textDiceAnswered
	textChainRenewed
	textDiceGoneOn
	textOffered
	textSeatAgreed
	textSeatRefused
)

// tableTexts are the sentences in English and Japanese; {} is the place to fill.
var tableTexts = [...][2]string{
	textTaken: {"{} sits down.", "{}が着席しました。"},
	textLeft:  {"{} leaves the table.", "{}が席を立ちました。"},
	textFreed: {"The owner frees the seat of {}.", "主催者が{}の席を空けました。"},
	textGaveUp: {"{} gives up and leaves. The game goes on: the seat falls to its side.",
		"{}が投了して席を立ちました。ゲームは続き、席は味方に渡ります。"},
	textResigned: {"{} gives the game up.", "{}が投了しました。"},
	textClosed:   {"The owner closes the game.", "主催者がゲームを終了しました。"},
	textAsked:    {"{} asks to take something back.", "{}が取り消しを求めています。"},
	textAgreed:   {"{} agrees to the undo.", "{}が取り消しに同意しました。"},
	textRefused:  {"{} does not agree to the undo.", "{}が取り消しに同意しませんでした。"},
	textReleased: {"The secrets are released.", "秘密情報が公開されました。"},

	textForfeited:        {"{} runs out of time and forfeits the game.", "{}が時間切れで負けとなりました。"},
	textEvicted:          {"{} loses the seat, which is free now.", "{}が席を失い、空席になりました。"},
	textExpired:          {"The time of {} is up.", "{}の持ち時間が切れました。"},
	textPlayed:           {"The time of {} is up. The server plays for it.", "{}の持ち時間が切れました。サーバーが代わりに指します。"},
	textProposed:         {"The owner proposes other deadlines.", "主催者が期限の変更を提案しています。"},
	textDeadlinesAgreed:  {"{} agrees to the deadlines.", "{}が期限の変更に同意しました。"},
	textDeadlinesRefused: {"{} does not agree to the deadlines.", "{}が期限の変更に同意しませんでした。"},
	textDeadlinesChanged: {"Other deadlines hold from now on.", "期限が変更されました。"},
	textOffered: {"The owner asks whether anyone whom the owner lets in may take the seat of {}.",
		"主催者が、{}の席を主催者の認める人に渡してよいか尋ねています。"},
	textSeatAgreed:  {"{} agrees to hand the seat over.", "{}が席の引き渡しに同意しました。"},
	textSeatRefused: {"{} does not agree to hand the seat over.", "{}が席の引き渡しに同意しませんでした。"},
	textHoliday:     {"{} goes on holiday.", "{}が休暇に入ります。"},

	textDiceAsked:    {"{} needs dice. All seats are asked for their part.", "{}がダイスを振ります。各席の応答を待っています。"},
	textDiceAnswered: {"{} reveals its part of the dice.", "{}がダイスに応答しました。"},
	textChainRenewed: {"{} commits to new numbers for the dice.", "{}がダイスの約束を更新しました。"},
	textDiceGoneOn:   {"The dice are thrown without {}, who did not answer in time.", "{}の応答が間に合わなかったため、そのままダイスを振ります。"},
}

func tableText(lang rules.Lang, key tableKey, fill string) string {
	text := languages.Say(string(lang), tableTexts[key][0], tableTexts[key][1])
	return strings.ReplaceAll(text, "{}", fill)
}

// narrateTable tells a change of the table in a sentence; seat is who made it.
func narrateTable(l *live.Game, lang rules.Lang, e *logv1.TableEvent, seat string) string {
	named := func(key tableKey, id string) string {
		seat, _ := l.About.SeatByID(id)
		return tableText(lang, key, SeatName(l, seat, lang))
	}
	switch e := e.Event.(type) {
	case *logv1.TableEvent_SeatTaken:
		return named(textTaken, e.SeatTaken.Seat)
	case *logv1.TableEvent_SeatLeft:
		if e.SeatLeft.ByClock {
			return named(textEvicted, e.SeatLeft.Seat)
		}
		if e.SeatLeft.ByOwner {
			return named(textFreed, e.SeatLeft.Seat)
		}
		return named(textLeft, e.SeatLeft.Seat)
	case *logv1.TableEvent_Resigned:
		if e.Resigned.GoesOn {
			return named(textGaveUp, e.Resigned.Seat)
		}
		if e.Resigned.ByClock {
			return named(textForfeited, e.Resigned.Seat)
		}
		return named(textResigned, e.Resigned.Seat)
	case *logv1.TableEvent_GameClosed:
		return tableText(lang, textClosed, "")
	case *logv1.TableEvent_UndoAsked:
		return named(textAsked, e.UndoAsked.Seat)
	case *logv1.TableEvent_UndoAnswered:
		if e.UndoAnswered.Agree {
			return named(textAgreed, e.UndoAnswered.Seat)
		}
		return named(textRefused, e.UndoAnswered.Seat)
	case *logv1.TableEvent_SecretsReleased:
		return tableText(lang, textReleased, "")
	case *logv1.TableEvent_TimeExpired:
		if e.TimeExpired.Lapse == logv1.Lapse_LAPSE_PLAY {
			return named(textPlayed, e.TimeExpired.Seat)
		}
		return named(textExpired, e.TimeExpired.Seat)
	case *logv1.TableEvent_DeadlinesProposed:
		return tableText(lang, textProposed, "")
	case *logv1.TableEvent_DeadlinesAnswered:
		if e.DeadlinesAnswered.Agree {
			return named(textDeadlinesAgreed, e.DeadlinesAnswered.Seat)
		}
		return named(textDeadlinesRefused, e.DeadlinesAnswered.Seat)
	case *logv1.TableEvent_DeadlinesChanged:
		return tableText(lang, textDeadlinesChanged, "")
	case *logv1.TableEvent_SeatOffered:
		return named(textOffered, e.SeatOffered.Seat)
	case *logv1.TableEvent_SeatAnswered:
		if e.SeatAnswered.Agree {
			return named(textSeatAgreed, e.SeatAnswered.Seat)
		}
		return named(textSeatRefused, e.SeatAnswered.Seat)
	case *logv1.TableEvent_HolidayTaken:
		return named(textHoliday, e.HolidayTaken.Seat)
	case *logv1.TableEvent_DiceAsked:
		return named(textDiceAsked, seat)
	case *logv1.TableEvent_DiceAnswered:
		return named(textDiceAnswered, e.DiceAnswered.Seat)
	case *logv1.TableEvent_ChainRenewed:
		return named(textChainRenewed, e.ChainRenewed.Seat)
	case *logv1.TableEvent_DiceGoneOn:
		return tableText(lang, textDiceGoneOn, seatNames(l, e.DiceGoneOn.Missing, lang))
	}
	return ""
}

// Questions are what is asked of a seat, in words.
func Questions(l *live.Game, m *live.Moment, id string, viewer rules.Viewer, lang rules.Lang) (list []string) {
	seat := live.SeatSet(l.About, id)
	if a := m.Table.Dice.Asked(); a == nil {
		for _, p := range rules.Prompts(l.About, m.Asks(), viewer, lang) {
			if p.Seat == id && !p.Optional {
				list = append(list, p.Text)
			}
		}
	} else if a.Owes(id) {
		roller, _ := l.About.SeatByID(a.Seat)
		list = append(list, tableText(lang, textDiceAsked, SeatName(l, roller, lang)))
	}
	if p := m.Table.Pending; p != nil && p.Missing&seat != 0 {
		list = append(list, tableText(lang, textAsked, SeatName(l, p.Seat, lang)))
	}
	if p := m.Table.Proposed; p != nil && p.Missing&seat != 0 {
		list = append(list, tableText(lang, textProposed, ""))
	}
	if p := m.Table.Offered; p != nil && p.Missing&seat != 0 {
		list = append(list, tableText(lang, textOffered, SeatName(l, p.Seat, lang)))
	}
	return list
}
