package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// pace are the flags for how long seats may take.
type pace struct {
	Time      time.Duration   `help:"How long a seat may take, as in 72h; as long as it likes if not given."`
	Per       string          `help:"What that time is for: one action, or all of a turn." enum:"action,turn" default:"action"`
	Bank      time.Duration   `help:"What a seat may take longer in the whole game."`
	Lapse     string          `help:"What happens when a seat's time is up: notice, open-seat, forfeit or play (the first legal command)." enum:"notice,open-seat,forfeit,play" default:"notice"`
	Remind    []time.Duration `help:"How long before that to remind the seat, longest first." placeholder:"24h,..."`
	Holidays  int32           `help:"Days that each seat may take off in the whole game." placeholder:"N"`
	DaysOff   []string        `help:"Days of the week on which no time is counted." enum:"mon,tue,wed,thu,fri,sat,sun" placeholder:"sat,sun"`
	UTCOffset time.Duration   `name:"utc-offset" help:"By whose clock those days begin and end: its offset from UTC, as in 9h."`
}

// weekdays are the words for days, from Monday on.
var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// lapses are the words for what follows when a seat's time is up.
var lapses = map[string]logv1.Lapse{
	"notice": logv1.Lapse_LAPSE_NOTICE, "open-seat": logv1.Lapse_LAPSE_OPEN_SEAT, "forfeit": logv1.Lapse_LAPSE_FORFEIT,
	"play": logv1.Lapse_LAPSE_PLAY,
}

// deadlines are what the flags say; nil for none.
func (p pace) deadlines() *logv1.Deadlines {
	if p.Time == 0 {
		return nil
	}
	d := &logv1.Deadlines{
		Allowance: durationpb.New(p.Time), Span: logv1.DeadlineSpan_DEADLINE_SPAN_ACTION, Bank: durationpb.New(p.Bank),
		Lapse:       lapses[p.Lapse],
		HolidayDays: p.Holidays, UtcOffset: durationpb.New(p.UTCOffset),
	}
	if p.Per == "turn" {
		d.Span = logv1.DeadlineSpan_DEADLINE_SPAN_TURN
	}
	for _, before := range p.Remind {
		d.Reminders = append(d.Reminders, durationpb.New(before))
	}
	for i, day := range weekdays {
		if slices.Contains(p.DaysOff, day) {
			d.DaysOff = append(d.DaysOff, logv1.Weekday(i+1))
		}
	}
	return d
}

// deadlinesCmd is for how long seats may take.
type deadlinesCmd struct {
	Propose proposeCmd `cmd:"" help:"Ask those who hold seats to play by other deadlines, or, without --time, by none; owner only."`
	Answer  answerCmd  `cmd:"" help:"Agree to what is proposed, or refuse it."`
	Holiday holidayCmd `cmd:"" help:"Let your time stand still for some days."`
}

type proposeCmd struct {
	Game string `arg:"" help:"Game."`
	pace
}

// Run proposes deadlines.
func (c proposeCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	g, done, err := game.ProposeDeadlines(a.ctx, c.deadlines())
	if err != nil {
		return err
	}
	return a.message(g, func() {
		if done {
			a.say("%s is played by %s from now on.\n", g.Name, a.paceText(g.Deadlines))
			return
		}
		a.pending(g)
	})
}

type answerCmd struct {
	Game   string `arg:"" help:"Game."`
	Answer string `arg:"" help:"yes or no." enum:"yes,no"`
	asking
}

// Run answers the proposal that waits.
func (c answerCmd) Run(a *app) error {
	game, before, err := a.voter(c.Game, func(g *v1.Game) []string { return g.PendingDeadlines.GetMissing() })
	if err != nil {
		return err
	}
	if before.PendingDeadlines == nil || game == nil {
		return usageError{"no deadlines wait for your answer in " + before.Name}
	}
	q := a.deadlinesQuestion(before)
	if err := a.sure(q, c.Answer == "yes", c.Record); err != nil {
		return err
	}
	g, done, err := game.AnswerDeadlines(a.ctx, q.record, c.Answer == "yes")
	if err != nil {
		return err
	}
	return a.message(g, func() {
		switch {
		case done:
			a.say("All agree: %s is played by %s from now on.\n", g.Name, a.paceText(g.Deadlines))
		case g.PendingDeadlines == nil:
			a.say("Everything stays as it was.\n")
		default:
			a.pending(g)
		}
	})
}

type holidayCmd struct {
	Game string `arg:"" help:"Game."`
	Days int    `arg:"" help:"How many days of 24 hours."`
}

// Run takes a holiday.
func (c holidayCmd) Run(a *app) error {
	game, err := a.acting(c.Game)
	if err != nil {
		return err
	}
	g, err := game.TakeHoliday(a.ctx, c.Days)
	if err != nil {
		return err
	}
	return a.message(g, func() { a.clocks(g) })
}

// pending says what waits for an answer.
func (a *app) pending(g *v1.Game) {
	if p := g.PendingDeadlines; p != nil {
		a.say("  proposed: %s (record %d); %s must answer: warledger deadlines answer %s yes --record %d, or no\n",
			a.paceText(p.Deadlines), p.Proposed, join(p.Missing), short(g.Name), p.Proposed)
	}
}

// clocks says whose time runs.
func (a *app) clocks(g *v1.Game) {
	if g.Deadlines == nil {
		return
	}
	a.say("  deadlines: %s\n", a.paceText(g.Deadlines))
	for _, c := range g.Clocks {
		switch {
		case c.Expired:
			a.say("    %s: the time is up\n", c.Seat)
		case c.DueTime != nil:
			a.say("    %s: until %s\n", c.Seat, c.DueTime.AsTime().Local().Format(time.DateTime))
		case c.HolidayUntil != nil:
			a.say("    %s: on holiday until %s\n", c.Seat, c.HolidayUntil.AsTime().Local().Format(time.DateTime))
		}
	}
}

// paceText says deadlines in a line, with everything that a player agrees to.
func (a *app) paceText(d *logv1.Deadlines) string {
	if d == nil {
		return a.words("no deadlines")
	}
	span := a.words("%s for each action")
	if d.Span == logv1.DeadlineSpan_DEADLINE_SPAN_TURN {
		span = a.words("%s for each turn")
	}
	text := fmt.Sprintf(span, d.Allowance.AsDuration())
	if b := d.Bank.AsDuration(); b > 0 {
		text += fmt.Sprintf(a.words(", %s more in all"), b)
	}
	text += fmt.Sprintf(a.words(", then %s"), strings.ToLower(strings.TrimPrefix(d.Lapse.String(), "LAPSE_")))
	if len(d.Reminders) > 0 {
		var before []string
		for _, r := range d.Reminders {
			before = append(before, r.AsDuration().String())
		}
		text += fmt.Sprintf(a.words("; reminders before that: %s"), join(before))
	}
	if d.HolidayDays > 0 {
		text += fmt.Sprintf(a.words("; days of holiday: %d"), d.HolidayDays)
	}
	if len(d.DaysOff) > 0 {
		var off []string
		for _, day := range d.DaysOff {
			if day > 0 && int(day) <= len(weekdays) {
				off = append(off, weekdays[day-1])
			}
		}
		text += fmt.Sprintf(a.words("; no time runs on %s, at %s from UTC"), join(off), d.UtcOffset.AsDuration())
	}
	return text
}
