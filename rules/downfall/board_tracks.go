package downfall

import (
	"math/bits"
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// tracks are the points, markers and plans of the game as the viewer may know them.
func (d *picture) tracks() []*boardv1.Track {
	zero := func(t *boardv1.Track) *boardv1.Track { t.Min = new(int64(0)); return t }
	vp := d.track("vp", "track.vp", int(d.vp), US)
	vp.Text = d.say("track.vp-text", "vp", int(d.vp), "wins", d.sc.Chart.Scoring.USWins,
		"draw", d.sc.Chart.Scoring.Draw)
	all := []*boardv1.Track{vp}
	if d.turn > 0 {
		turn := zero(d.track("turn", "track.turn", int(d.turn), rules.NoSeat))
		turn.Max = new(int64(d.sc.Chart.LastTurn()))
		all = append(all, turn)
	}
	if seat := d.active(); seat != rules.NoSeat {
		all = append(all, zero(d.track("cp", "track.cp", int(d.cp), seat)))
	}
	if d.kamikaze {
		all = append(all, d.kamikazeTracks()...)
	}
	if d.turn > 0 {
		all = append(all, zero(d.track("naval", "track.naval", bits.OnesCount32(d.navalReady), US)),
			zero(d.track("air", "track.air", int(d.air), US)))
	}
	if !d.on(NoAtomicBombs) && d.phase != PhaseNone {
		all = append(all, d.bombTracks()...)
	}
	if d.phase == SetupMagic {
		all = append(all, zero(d.track("magic", "track.magic", int(d.magicLeft), Japan)))
	}
	if d.ixTurn > 0 {
		plan := d.track("ix-plan", "track.ix-plan", int(d.ixMade), US)
		plan.Text = d.say("track.ix-plan-text", "turn", int(d.ixMade))
		all = append(all, plan)
	}
	for _, t := range all {
		t.Rank = int32(slices.Index(ranked, t.Id) + 1)
	}
	return append(all, d.awards()...)
}

// ranked are the tracks that matter every minute, most important first.
var ranked = []string{"vp", "cp", "us-cp", "naval", "air", "bombs-left"}

// kamikazeTracks say what the kamikaze result of the turn does (DF 6.5).
func (d *picture) kamikazeTracks() []*boardv1.Track {
	all := []*boardv1.Track{
		d.track("us-cp", "track.us-cp", int(d.usCP), US), d.track("japan-mf", "track.japan-mf", int(d.jpMF), Japan),
		d.track("japan-bonus", "track.japan-bonus", int(d.jpCP), Japan),
	}
	if d.ban {
		ban := d.track("ban", "track.ban", 1, US)
		ban.Text = d.say("track.ban-text")
		all = append(all, ban)
	}
	return all
}

// bombTracks count the bombs; those left are secret with option 15.7 (DF 15.7).
func (d *picture) bombTracks() []*boardv1.Track {
	all := []*boardv1.Track{d.track("bombs-used", "track.bombs-used", int(d.bombsUsed), US)}
	if d.countsBombs(d.v) {
		left := d.track("bombs-left", "track.bombs-left", int(d.bombsLeft), US)
		left.Min = new(int64(0))
		all = append(all, left)
	}
	return all
}

// awards say which points were earned, can still be earned, or are lost (DF 4.2 to DF 4.10).
func (d *picture) awards() []*boardv1.Track {
	var all []*boardv1.Track
	for i := range d.sc.Chart.Awards {
		a := &d.sc.Chart.Awards[i]
		t := &boardv1.Track{Id: "award-" + a.ID, Name: kit.InLang(a.Name, d.lang), Owner: seatIDs[US],
			Min: new(int64(0)),
			Max: new(int64(a.Points))}
		earned, lost := d.earned&(1<<i) != 0, d.lost&(1<<i) != 0
		switch {
		case lost:
			t.Text = d.say("award.lost")
		case earned:
			t.Value, t.Text = int64(a.Points), d.say("award.earned")
		case int(d.turn) > a.To:
			t.Text = d.say("award.missed")
		case a.From == a.To:
			t.Text = d.say("award.open-once", "from", a.From)
		default:
			t.Text = d.say("award.open", "from", a.From, "to", a.To)
		}
		all = append(all, t)
	}
	return all
}
