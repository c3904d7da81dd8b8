package live

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// TestQuestionsOfOlderLogs: in logs of older servers an undo, deadlines and the offer of a seat that wait for consent
// end when somebody sits down or leaves. Such logs fold as they did. In newer ones the records say that questions go
// on, and each asks whoever sits down: at once, or since the newest format once that player has made a command. (Such a
// command ends an undo, which is folded elsewhere.)
func TestQuestionsOfOlderLogs(t *testing.T) {
	t.Parallel()
	about := &rules.About{Seats: []rules.SeatInfo{{ID: "red"}, {ID: "blue"}, {ID: "green"}, {ID: "gray"}}}
	taken := func(seat string, joins bool) *logv1.TableEvent {
		return &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{
			SeatTaken: &logv1.SeatTaken{Seat: seat, JoinsQuestions: joins}}}
	}
	later := func(seat string) *logv1.TableEvent {
		return &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{
			SeatTaken: &logv1.SeatTaken{Seat: seat, JoinsQuestions: true, JoinsOncePlayed: true}}}
	}
	left := func(seat string, byOwner, quits bool) *logv1.TableEvent {
		return &logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{
			SeatLeft: &logv1.SeatLeft{Seat: seat, ByOwner: byOwner, QuitsQuestions: quits}}}
	}
	asked := func(needed ...string) []*logv1.TableEvent {
		return []*logv1.TableEvent{
			{Event: &logv1.TableEvent_UndoAsked{UndoAsked: &logv1.UndoAsked{Seat: "red", Target: 1, Needed: needed}}},
			{Event: &logv1.TableEvent_DeadlinesProposed{DeadlinesProposed: &logv1.DeadlinesProposed{Needed: needed}}},
			{Event: &logv1.TableEvent_SeatOffered{SeatOffered: &logv1.SeatOffered{Seat: "gray", Needed: needed}}},
		}
	}
	for _, c := range []struct {
		name   string
		events []*logv1.TableEvent
		// played is the seat that makes a command at last; empty for none.
		played string
		// want are the seats that undo, deadlines and offer wait for; "over" for a question that has ended.
		want [3]string
	}{
		{"sits down, older", append(asked("blue"), taken("green", false)), "", [3]string{"over", "over", "over"}},
		{"sits down", append(asked("blue"), taken("green", true)), "",
			[3]string{"blue,green", "blue,green", "blue,green"}},
		{"sits down today", append(asked("blue"), later("green")), "", [3]string{"blue", "blue", "blue"}},
		{"sits down and plays", append(asked("blue"), later("green")), "green",
			[3]string{"blue", "blue,green", "blue,green"}},
		{"sits down, and another plays", append(asked("blue"), later("green")), "red",
			[3]string{"blue", "blue", "blue"}},
		{"sits down and leaves", append(asked("blue"), later("green"), left("green", false, true)), "green",
			[3]string{"blue", "blue", "blue"}},
		{"leaves, older", append(asked("blue"), left("blue", false, false)), "", [3]string{"over", "over", "over"}},
		{"leaves", append(asked("blue", "red"), left("blue", false, true)), "", [3]string{"red", "red", "red"}},
		{"nobody is left to agree", append(asked("blue"), left("blue", false, true)), "", [3]string{"", "", "over"}},
		{"the asker leaves", append(asked("blue"), left("red", false, true)), "", [3]string{"over", "blue", "blue"}},
		{"the offered seat is taken", append(asked("blue"), taken("gray", true)), "",
			[3]string{"blue,gray", "blue,gray", "over"}},
		{"the seat of a player who was put out and is asked",
			append(append([]*logv1.TableEvent{left("blue", true, false)}, asked("blue")...), taken("blue", true)), "",
			[3]string{"over", "over", "over"}},
		{"the seat of a player who was put out, and who sat down leaves",
			slices.Concat([]*logv1.TableEvent{left("blue", true, false), taken("blue", true)}, asked("blue", "red"),
				[]*logv1.TableEvent{left("blue", false, true)}), "",
			[3]string{"over", "red", "red"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := &Moment{Table: Table{Holders: map[string]string{"red": "Ann", "blue": "Bob"}}}
			for i, e := range c.events {
				if err := m.foldTableEvent(about, uint64(10+i), e); err != nil {
					t.Fatal(err)
				}
			}
			m.Table.playQuestions(SeatSet(about, c.played))
			got := [3]string{"over", "over", "over"}
			if p := m.Table.Pending; p != nil {
				got[0] = SeatList(about, p.Missing)
			}
			if p := m.Table.Proposed; p != nil {
				got[1] = SeatList(about, p.Missing)
			}
			if p := m.Table.Offered; p != nil {
				got[2] = SeatList(about, p.Missing)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("what is asked (-want +got):\n%s", diff)
			}
			if m.Table.Handed != 0 {
				t.Error("the offered seat is handed over, and nobody agreed")
			}
		})
	}
}
