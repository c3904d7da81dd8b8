package rules

import boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"

// Prompts puts the decisions that a viewer may know of into words.
func Prompts(about *About, decisions []Decision, v Viewer, lang Lang) (list []*boardv1.Prompt) {
	for _, d := range decisions {
		if !v.MaySee(d.Audience) {
			continue
		}
		list = append(list, &boardv1.Prompt{
			Seat: about.SeatID(d.Seat), Decision: d.Kind, Text: about.Catalogue.Format(lang, d.Text),
			Rules: d.Rules, Pieces: d.Pieces, Spaces: d.Spaces, Optional: d.Optional,
			Discreet: d.Discreet,
		})
	}
	return list
}

// EndingMessage puts an ending into words.
func EndingMessage(about *About, e *Ending, lang Lang) *boardv1.Ending {
	m := &boardv1.Ending{Level: e.Level, Text: about.Catalogue.Format(lang, e.Text), Scores: map[string]int64{}}
	for seat := range e.Winners.Each {
		m.Winners = append(m.Winners, about.SeatID(seat))
	}
	for seat, score := range e.Scores { // order-free: fills a map
		m.Scores[about.SeatID(seat)] = int64(score)
	}
	return m
}
