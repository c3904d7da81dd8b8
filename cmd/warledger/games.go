package main

import (
	"fmt"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type gamesCmd struct {
	Ruleset string `help:"Only games of this ruleset." placeholder:"NAME"`
	Running bool   `help:"Only games that go on."`
	Open    bool   `help:"Only games with a free seat."`
	Mine    bool   `help:"Only games that you hold something of."`
}

// Run lists games.
func (c gamesCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	mine, err := a.tokens.Server(a.line.Server)
	if err != nil {
		return err
	}
	req := &v1.ListGamesRequest{RunningOnly: c.Running, OpenSeatsOnly: c.Open, PageSize: 1000}
	if c.Ruleset != "" {
		req.Ruleset = "rulesets/" + c.Ruleset
	}
	list := &v1.ListGamesResponse{}
	for g, err := range client.List(a.ctx, req) {
		if err != nil {
			return err
		}
		if !c.Mine || mine.Games[g.Name] != nil {
			list.Games = append(list.Games, g)
		}
	}
	return a.message(list, func() {
		rows := [][]string{a.heads("GAME", "TITLE", "RULESET", "SCENARIO", "TURN", "STATE", "SEATS")}
		for _, g := range list.Games {
			rows = append(rows, []string{
				short(g.Name), orDash(g.Title), short(g.Ruleset), g.Scenario, fmt.Sprint(g.Turn), a.state(g),
				a.seats(g),
			})
		}
		if len(list.Games) == 0 {
			a.say("No games.\n")
			return
		}
		a.table(rows)
	})
}

// state says in a few words how a game stands.
func (a *app) state(g *v1.Game) string {
	switch {
	case g.Over && g.Ending.GetText() != "":
		return a.words("over: ") + g.Ending.Text
	case g.Over:
		return a.words("over")
	case g.PendingDice != nil:
		return a.words("dice wait for ") + join(g.PendingDice.Missing)
	case g.PendingUndo != nil:
		return a.words("undo waits for ") + join(g.PendingUndo.Missing)
	case len(g.WaitingFor) > 0:
		return a.words("waits for ") + join(g.WaitingFor)
	}
	return a.words("runs")
}

func (a *app) seats(g *v1.Game) string {
	var list []string
	for _, s := range g.Seats {
		holder := s.Holder
		switch {
		case s.Guard != v1.SeatGuard_SEAT_GUARD_UNSPECIFIED:
			holder = a.words("(guarded)")
		case !s.Taken:
			holder = a.words("(free)")
		case holder == "":
			holder = a.words("(held)")
		case s.Computer != "":
			holder += a.words(" (computer)")
		}
		list = append(list, s.Id+"="+holder)
	}
	return strings.Join(list, " ")
}

type showCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run shows a game's summary.
func (c showCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	g, err := game.Get(a.ctx)
	if err != nil {
		return err
	}
	return a.message(g, func() {
		a.summary(g)
		a.whatIsAsked(game, g)
		a.standing(g)
	})
}

// joining says who may take a free seat, where not anyone may.
func (a *app) joining(policy logv1.JoinPolicy) string {
	switch policy {
	case logv1.JoinPolicy_JOIN_POLICY_FIRST_COME:
		return a.words(" (by invitation once left)")
	case logv1.JoinPolicy_JOIN_POLICY_INVITED:
		return a.words(" (by invitation)")
	}
	return ""
}

// dice says where the dice of a game come from, and what is owed for them.
func (a *app) dice(g *v1.Game) {
	switch g.Dice {
	case logv1.DiceKind_DICE_KIND_COMMITTED:
		a.say("  dice: committed to %s\n", g.DiceCommitment)
		return
	case logv1.DiceKind_DICE_KIND_MANUAL:
		a.say("  dice: manual\n")
		return
	}
	silence := a.words("the game waits for missing answers")
	if g.MutualDice.GetOnSilence() == logv1.Silence_SILENCE_GO_ON {
		silence = fmt.Sprintf(a.words("the game goes on without an answer after %s"),
			g.MutualDice.AnswerTime.AsDuration())
	}
	a.say("  dice: mutual, the server's part committed to %s; %s\n", g.DiceCommitment, silence)
	if d := g.PendingDice; d != nil {
		a.say("  %s needs dice (record %d); the programs of %s must answer, which they do by themselves\n",
			d.Seat, d.Asked, join(d.Missing))
	}
}

// summary prints what there is to say of a game.
func (a *app) summary(g *v1.Game) {
	title := g.Title
	if title != "" {
		title = " “" + title + "”"
	}
	a.say("%s%s: %s/%s, rules version %d\n", g.Name, title, short(g.Ruleset), g.Scenario, g.RulesVersion)
	a.say("  turn %d, version %d, head %d: %s\n", g.Turn, g.Version, g.Head, a.state(g))
	a.say("  seats: %s%s\n", a.seats(g), a.joining(g.JoinPolicy))
	a.guarded(g)
	if list := chosen(g, a.ruled(g)); len(list) > 0 {
		a.say("  options: %s\n", pairs(list))
	}
	a.dice(g)
	a.clocks(g)
	a.pending(g)
	a.offered(g)
	if g.PendingUndo != nil {
		back, err := a.takenBack(g)
		a.undoAsked(g, back)
		if err != nil {
			a.grumble("warledger: what that takes back can't be read: %v\n", err)
		}
	}
	if held, err := a.held(g.Name); err == nil && len(held.Tokens()) > 0 {
		a.say("  yours: %s\n", join(yours(held.Owner != "", held.Seats)))
	}
}
