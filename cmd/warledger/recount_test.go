package main

import "testing"

// TestACombatSaysWhoFights: in Anniversary the log, a preview and the answer to a command name the powers and forces of
// a combat, which no event has.
func TestACombatSaysWhoFights(t *testing.T) {
	if testing.Short() {
		t.Skip("rules start no goroutines, and a preview with the race detector takes longer than callers wait")
	}
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create anniversary 1941 --take " +
		"germany,japan,italy,soviet-union,united-kingdom,united-states")
	p.do("do . research 0 --as germany")
	p.do("do . end --as germany", `Germany ends Purchase Units\.`)
	p.do("do . move 3 infantry 1 artillery 2 tank poland>east-poland --as germany")
	combat := `Combat in East Poland: 3 infantry, 1 artillery and 2 tanks \(Germany\) against \d infantry.* \(Soviet Union\)\.`
	p.do("preview . end --as germany", `Germany ends Combat Move\.`)
	p.do("do . end --as germany", `Germany ends Combat Move\.`, combat)
	p.do("log .", `Germany ends Purchase Units\.`, combat)
	p.do("log . --lang de", `Kampf in East Poland|Kampf in .*gegen`)
}
