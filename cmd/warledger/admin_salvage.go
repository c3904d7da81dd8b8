package main

import (
	"fmt"

	boltstore "github.com/warledger/warledger/eventstore/bbolt"
)

type adminSalvageCmd struct {
	DB         string `name:"db" help:"File of games." default:"warledger.db" placeholder:"FILE"`
	AcceptLoss bool   `help:"Do it. Without this nothing is changed, and only what would be taken and lost is told."`
}

// Run tells what can be saved and what is lost, and does it if that is accepted.
func (c adminSalvageCmd) Run(a *app) error {
	r, err := boltstore.Salvage(c.DB, c.AcceptLoss)
	if err != nil {
		return inUse(c.DB, err)
	}
	if a.line.Output == "json" {
		err = a.plainJSON(salvageJSON(r, c.AcceptLoss), true)
	} else {
		c.tell(a, r)
	}
	if err == nil && r.Needed && !c.AcceptLoss {
		return quietError{exitFound}
	}
	return err
}

func (c adminSalvageCmd) tell(a *app, r boltstore.Salvaged) {
	if !r.Needed {
		a.say("%s can be opened with its journal: nothing was done\n", c.DB)
		return
	}
	a.say("%v\n\n", r.Cause)
	a.say("%d whole commits are in the journal, %d damaged ones between them. What a damaged one held, and what came after the last, nobody can tell.\n", r.Frames, len(r.Damaged))
	for _, s := range r.Taken {
		a.say("taken  %s: %s\n", s.Stream, changes(s))
	}
	for _, s := range r.Lost {
		a.say("LOST   %s: %s: %s\n", s.Stream, changes(s), s.Why)
	}
	switch {
	case !c.AcceptLoss:
		a.say("\nNothing was changed. Players were told that all of this is stored. Look for the right journal and for a newer backup first; --accept-loss then takes what is whole and loses the rest.\n")
	case r.Aside != "":
		a.say("\n%s opens again. The journal is kept as %s; who needs no proof of it may remove it.\n", c.DB, r.Aside)
	default:
		a.say("\n%s opens again.\n", c.DB)
	}
}

// changes says what of a stream was taken or lost.
func changes(s boltstore.SalvagedStream) string {
	text := "metadata"
	switch {
	case s.First == 0:
		return text
	case s.First == s.Last:
		text = fmt.Sprintf("version %d", s.First)
	default:
		text = fmt.Sprintf("versions %d to %d", s.First, s.Last)
	}
	if s.Metadata {
		text += " and metadata"
	}
	return text
}

// salvageJSON is the report for programs.
func salvageJSON(r boltstore.Salvaged, done bool) map[string]any {
	streams := func(list []boltstore.SalvagedStream) []map[string]any {
		all := []map[string]any{}
		for _, s := range list {
			one := map[string]any{"stream": s.Stream, "first": s.First, "last": s.Last, "metadata": s.Metadata}
			if s.Why != "" {
				one["why"] = s.Why
			}
			all = append(all, one)
		}
		return all
	}
	cause := ""
	if r.Cause != nil {
		cause = r.Cause.Error()
	}
	return map[string]any{
		"needed": r.Needed, "done": r.Needed && done, "cause": cause, "aside": r.Aside, "commits": r.Frames, "damaged": append([]uint64{}, r.Damaged...),
		"taken": streams(r.Taken), "lost": streams(r.Lost),
	}
}
