package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/dump"
	"github.com/warledger/warledger/eventstore/move"
	"github.com/warledger/warledger/eventstore/postgres"
	"github.com/warledger/warledger/service"
)

type adminMigrateCmd struct {
	From string `help:"Where the games are: a file, or the address of a database." required:"" placeholder:"FILE|URL"`
	To   string `help:"Where they shall be: a file or a database that holds nothing." required:"" placeholder:"FILE|URL"`
	Keep bool   `help:"Let servers go on serving the games where they are: for a rehearsal."`
}

// Run moves all games, and continues what an earlier run has left.
func (c adminMigrateCmd) Run(a *app) error {
	from, to := place(c.From), place(c.To)
	if err := errors.Join(from.check(), to.check()); err != nil {
		return err
	}
	if from == to {
		return usageError{"--from and --to are the same"}
	}
	if err := from.mustExist(); err != nil {
		return err
	}
	o, err := a.moving(from, to)
	if err != nil {
		return err
	}
	o.Keep = c.Keep
	source, err := from.take(a.ctx)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := to.take(a.ctx)
	if err != nil {
		return err
	}
	defer target.Close()
	report, err := move.Copy(a.ctx, source, target, o)
	if err != nil {
		return a.brokenOff(target, o, err)
	}
	return a.movedTo(o, report, func() {
		if c.Keep {
			a.say("%s stays as it is\n", o.From)
			return
		}
		a.say("%s is marked as moved: servers refuse to open it\n", o.From)
		if to.isDatabase() && !from.isDatabase() {
			a.say("Keep the server's key: start the server with --signing-key %s.signing-key, "+
				"or with the key file used so far\n", o.From)
		}
	})
}

// moving are the options of a copy from a place to another.
func (a *app) moving(from, to place) (o move.Options, err error) {
	o.Verify = service.VerifyEntry
	o.Report = func(f eventstore.Fault) {
		a.grumble("%s version %d: %s: %s\n", orDash(f.Stream), f.Version, f.Kind, f.What)
	}
	if o.From, err = from.name(); err == nil {
		o.To, err = to.name()
	}
	return o, err
}

// movedTo says what was copied.
func (a *app) movedTo(o move.Options, r dump.Report, more func()) error {
	if a.line.Output == "json" {
		return a.plainJSON(map[string]any{"streams": r.Streams, "entries": r.Entries, "bytes": r.Bytes,
			"copied": r.Stored}, true)
	}
	a.say("%s: %d streams, %d entries, sound\n", o.To, r.Streams, r.Entries)
	if there := r.Entries - r.Stored; there > 0 {
		a.say("%d entries were there already, from an earlier run\n", there)
	}
	more()
	return nil
}

// brokenOff says how to continue a copy that failed.
func (a *app) brokenOff(target eventstore.Store, o move.Options, err error) error {
	if errors.Is(err, move.ErrNotEmpty) {
		return usageError{fmt.Sprintf("%s holds something already (%v): name a place that is empty", o.To, err)}
	}
	if errors.Is(err, postgres.ErrLost) {
		a.grumble("Somebody else may write to the database now, so nothing more was copied. " +
			"Run the same command to continue.\n")
		return err
	}
	ctx := context.WithoutCancel(a.ctx)
	if state := move.Served(ctx, target); errors.Is(state, move.ErrUnfinished) && !errors.Is(err, move.ErrUnfinished) {
		a.grumble("%s holds only a part, which no server serves. Run the same command to continue.\n", o.To)
	}
	return err
}

// restoreTo restores a backup into a database, or a dump into a file.
func (c adminRestoreCmd) restoreTo(a *app, to place) error {
	if to.isDatabase() && c.Replace {
		return usageError{"--replace is for files: make an empty database or schema"}
	}
	o, err := a.moving(place(c.File), to)
	if err != nil {
		return err
	}
	if !to.isDatabase() {
		return c.restoreDump(a, o)
	}
	target, err := to.take(a.ctx)
	if err != nil {
		return err
	}
	defer target.Close()
	var report dump.Report
	if isDump(c.File) {
		report, err = restoreFile(a.ctx, c.File, target, o)
	} else {
		var source eventstore.Store
		if source, err = place(c.File).read(a.ctx); err != nil {
			return err
		}
		defer source.Close()
		o.Keep = true
		report, err = move.Copy(a.ctx, source, target, o)
	}
	if err != nil {
		return a.brokenOff(target, o, err)
	}
	return a.movedTo(o, report, func() {})
}

// restoreDump makes a file of a dump beside its place, and puts it there whole or not at all.
func (c adminRestoreCmd) restoreDump(a *app, o move.Options) error {
	if _, err := os.Lstat(c.DB); err == nil && !c.Replace {
		return c.exists()
	}
	folder, err := os.MkdirTemp(filepath.Dir(c.DB), filepath.Base(c.DB)+".restore-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "games.db")
	store, err := boltstore.Open(name, boltstore.Options{NoSync: true}) // what takes its place is synced
	if err != nil {
		return err
	}
	report, err := restoreFile(a.ctx, c.File, store, o)
	if err = errors.Join(err, store.Close()); err != nil {
		return err
	}
	if err := c.install(name, func(*boltstore.Store) error { return nil }); err != nil {
		return err
	}
	return a.movedTo(o, report, func() {})
}

func restoreFile(ctx context.Context, name string, to eventstore.Store, o move.Options) (dump.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return dump.Report{}, err
	}
	defer f.Close()
	return move.Restore(ctx, f, to, o)
}

// isDump reports whether a file is a dump, rather than a file of games.
func isDump(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, dump.MagicSize)
	_, err = io.ReadFull(f, begin)
	return err == nil && dump.Is(begin)
}

type adminReopenCmd struct {
	DB    string `name:"db" help:"File of games." placeholder:"FILE"`
	Store string `help:"Address of a database of games." placeholder:"URL"`
}

// Run lets games be served again where they were before they were moved.
func (c adminReopenCmd) Run(a *app) error {
	p, err := either(c.DB, c.Store)
	if err == nil && p == "" {
		err = usageError{"what shall be reopened? Give --db or --store"}
	}
	if err == nil {
		err = p.mustExist()
	}
	if err != nil {
		return err
	}
	name, err := p.name()
	if err != nil {
		return err
	}
	store, err := p.take(a.ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(move.Reopen(a.ctx, store), store.Close()); err != nil {
		return err
	}
	if a.line.Output == "json" {
		return a.plainJSON(map[string]string{"reopened": name}, true)
	}
	a.say("%s can be served again; what was played elsewhere meanwhile is not in it\n", name)
	return nil
}
