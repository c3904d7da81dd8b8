package service

import (
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// tableKey names a sentence about the table, which no ruleset has.
type tableKey int

const (
	textTaken tableKey = iota
	textLeft
	textFreed
	textResigned
	textClosed
	textAsked
	textAgreed
	textRefused
	textReleased
)

// tableTexts are the sentences in English and Japanese; {} is the place to fill.
var tableTexts = [...][2]string{
	textTaken:    {"{} sits down.", "{}が着席しました。"},
	textLeft:     {"{} leaves the table.", "{}が席を立ちました。"},
	textFreed:    {"The owner frees the seat of {}.", "主催者が{}の席を空けました。"},
	textResigned: {"{} gives the game up.", "{}が投了しました。"},
	textClosed:   {"The owner closes the game.", "主催者がゲームを終了しました。"},
	textAsked:    {"{} asks to take something back.", "{}が取り消しを求めています。"},
	textAgreed:   {"{} agrees to the undo.", "{}が取り消しに同意しました。"},
	textRefused:  {"{} does not agree to the undo.", "{}が取り消しに同意しませんでした。"},
	textReleased: {"The secrets are released.", "秘密情報が公開されました。"},
}

func tableText(lang rules.Lang, key tableKey, fill string) string {
	text := tableTexts[key][0]
	if lang == rules.Japanese {
		text = tableTexts[key][1]
	}
	return strings.ReplaceAll(text, "{}", fill)
}

// narrateTable tells a change of the table in a sentence.
func (l *live) narrateTable(lang rules.Lang, e *logv1.TableEvent) string {
	named := func(key tableKey, id string) string {
		seat, _ := l.about.SeatByID(id)
		return tableText(lang, key, l.seatName(seat, lang))
	}
	switch e := e.Event.(type) {
	case *logv1.TableEvent_SeatTaken:
		return named(textTaken, e.SeatTaken.Seat)
	case *logv1.TableEvent_SeatLeft:
		if e.SeatLeft.ByOwner {
			return named(textFreed, e.SeatLeft.Seat)
		}
		return named(textLeft, e.SeatLeft.Seat)
	case *logv1.TableEvent_Resigned:
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
	}
	return ""
}
