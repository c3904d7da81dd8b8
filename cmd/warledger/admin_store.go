package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"connectrpc.com/connect"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/dump"
	adminv1 "github.com/warledger/warledger/proto/warledger/admin/v1"
	"github.com/warledger/warledger/service"
)

type adminCheckCmd struct {
	DB    string `name:"db" help:"File of games to check without a server." placeholder:"FILE"`
	Store string `help:"Address of a database of games to check without a server." placeholder:"URL"`
}

// Run examines a store and says what is wrong.
func (c adminCheckCmd) Run(a *app) error {
	at, err := either(c.DB, c.Store)
	if err != nil {
		return err
	}
	check := a.checkServer
	if at != "" {
		check = func(report func(*adminv1.StoreFault)) (*adminv1.CheckSummary, error) {
			return checkPlace(a.ctx, at, report)
		}
	}
	sum, err := check(func(f *adminv1.StoreFault) {
		if a.line.Output == "json" {
			_ = a.json(f, false)
			return
		}
		a.say("%s version %d: %s: %s\n", orDash(f.Stream), f.Version, f.Kind, f.Message)
	})
	if err != nil {
		return err
	}
	err = a.message(sum, func() {
		a.say("%d streams, %d entries, %d bytes, %d keys: %s\n",
			sum.Streams, sum.Entries, sum.Bytes, sum.Keys, faults(sum.Faults))
	})
	if err == nil && sum.Faults > 0 {
		return quietError{exitFound}
	}
	return err
}

func faults(n uint64) string {
	if n == 0 {
		return "sound"
	}
	return fmt.Sprintf("%d faults", n)
}

func (a *app) checkServer(report func(*adminv1.StoreFault)) (*adminv1.CheckSummary, error) {
	client, err := a.operations()
	if err != nil {
		return nil, err
	}
	stream, err := client.CheckStore(a.ctx, connect.NewRequest(&adminv1.CheckStoreRequest{}))
	if err != nil {
		return nil, a.ofServer(err)
	}
	defer stream.Close()
	for stream.Receive() {
		if f := stream.Msg().GetFault(); f != nil {
			report(f)
		}
		if sum := stream.Msg().GetSummary(); sum != nil {
			return sum, nil
		}
	}
	if err := a.ofServer(stream.Err()); err != nil {
		return nil, err
	}
	return nil, errors.New("the server ended the check before its end")
}

// checkPlace examines a file that no server has open, or a database.
func checkPlace(ctx context.Context, at place, report func(*adminv1.StoreFault)) (*adminv1.CheckSummary, error) {
	store, err := at.read(ctx)
	if err != nil {
		return nil, err
	}
	sum, err := checkStore(ctx, store, report)
	return sum, errors.Join(err, store.Close())
}

func checkStore(
	ctx context.Context, store eventstore.Store, report func(*adminv1.StoreFault),
) (*adminv1.CheckSummary, error) {
	sum, err := store.Check(ctx, service.VerifyEntry, func(f eventstore.Fault) {
		report(&adminv1.StoreFault{Kind: string(f.Kind), Stream: f.Stream, Version: f.Version, Message: f.What})
	})
	return &adminv1.CheckSummary{Streams: sum.Streams, Entries: sum.Entries, Bytes: sum.Bytes, Keys: sum.Keys,
		Faults: sum.Faults}, err
}

// inUse says what to do about a file that a server has open.
func inUse(path string, err error) error {
	if errors.Is(err, eventstore.ErrLocked) {
		return fmt.Errorf("%s is in use by a server: stop it first", path)
	}
	return err
}

type adminCompactCmd struct {
	DB string `name:"db" help:"File of games." default:"warledger.db" placeholder:"FILE"`
}

// Run writes a file anew.
func (c adminCompactCmd) Run(a *app) error {
	if err := checkFiles(c.DB); err != nil {
		return err
	}
	before, after, err := boltstore.Compact(c.DB)
	if err != nil {
		return inUse(c.DB, err)
	}
	if a.line.Output == "json" {
		return a.plainJSON(map[string]int64{"before": before, "after": after}, true)
	}
	if after == before {
		a.say("%s: a new file would be no smaller than its %d bytes, so it stays as it is\n", c.DB, before)
		return nil
	}
	a.say("%s: from %d to %d bytes\n", c.DB, before, after)
	return nil
}

type adminBackupCmd struct {
	File  string `arg:"" help:"File to write; it must not exist."`
	DB    string `name:"db" help:"File of games to copy without a server." placeholder:"FILE"`
	Store string `help:"Address of a database of games to copy without a server." placeholder:"URL"`
}

// Run copies all games. The file appears whole and verified, or not at all.
func (c adminBackupCmd) Run(a *app) error {
	at, err := either(c.DB, c.Store)
	if err == nil {
		err = checkFiles(c.File)
	}
	if err != nil {
		return err
	}
	backup := a.backup
	if at != "" {
		backup = func(f *os.File) (*adminv1.BackupSummary, error) { return dumpPlace(a.ctx, at, f) }
	}
	if _, err := os.Lstat(c.File); err == nil {
		return usageError{fmt.Sprintf("%s exists already", c.File)}
	}
	f, err := os.CreateTemp(filepath.Dir(c.File), filepath.Base(c.File)+".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // there only if it is not whole
	sum, err := backup(f)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), c.File); errors.Is(err, fs.ErrExist) {
		return usageError{fmt.Sprintf("%s exists already", c.File)}
	} else if err != nil { // a file system without links
		if err := os.Rename(f.Name(), c.File); err != nil {
			return err
		}
	}
	return a.message(sum, func() { a.say("%s: %d bytes, SHA-256 %x\n", c.File, sum.Size, sum.Sha256) })
}

// dumpPlace writes a dump of a store, which any engine can restore.
func dumpPlace(ctx context.Context, at place, f *os.File) (*adminv1.BackupSummary, error) {
	store, err := at.read(ctx)
	if err != nil {
		return nil, err
	}
	digest := sha256.New()
	_, err = dump.Write(ctx, store, io.MultiWriter(f, digest))
	if err = errors.Join(err, store.Close()); err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	return &adminv1.BackupSummary{Size: size, Sha256: digest.Sum(nil)}, err
}

// backup writes what the server sends and holds it against what the server says about it at the end.
func (a *app) backup(f *os.File) (*adminv1.BackupSummary, error) {
	client, err := a.operations()
	if err != nil {
		return nil, err
	}
	stream, err := client.BackupStore(a.ctx, connect.NewRequest(&adminv1.BackupStoreRequest{}))
	if err != nil {
		return nil, a.ofServer(err)
	}
	defer stream.Close()
	digest, size := sha256.New(), int64(0)
	for stream.Receive() {
		data := stream.Msg().GetData()
		digest.Write(data)
		size += int64(len(data))
		if _, err := f.Write(data); err != nil {
			return nil, err
		}
		if sum := stream.Msg().GetSummary(); sum != nil {
			if sum.Size != size || !bytes.Equal(sum.Sha256, digest.Sum(nil)) {
				return nil, errors.New("the copy is not what the server sent: try again")
			}
			return sum, nil
		}
	}
	if err := a.ofServer(stream.Err()); err != nil {
		return nil, err
	}
	return nil, errors.New("the server ended the copy before its end")
}

type adminRestoreCmd struct {
	File    string `arg:"" help:"Backup to restore; it stays where it is." type:"existingfile"`
	DB      string `name:"db" help:"File of games to make." default:"warledger.db" placeholder:"FILE"`
	Store   string `help:"Address of a database to restore into, in place of a file; it must hold nothing." placeholder:"URL"`
	Replace bool   `help:"Put it in the place of a file that exists."`
}

// Run checks a backup and puts it in its place.
func (c adminRestoreCmd) Run(a *app) error {
	if err := checkFiles(c.DB); err != nil {
		return err
	}
	if c.Store != "" {
		at, err := either("", c.Store)
		if err != nil {
			return err
		}
		return c.restoreTo(a, at)
	}
	if isDump(c.File) {
		return c.restoreTo(a, place(c.DB))
	}
	var sum *adminv1.CheckSummary
	err := c.install(c.File, func(s *boltstore.Store) (err error) {
		sum, err = checkStore(a.ctx, s, func(f *adminv1.StoreFault) {
			a.grumble("%s version %d: %s: %s\n", orDash(f.Stream), f.Version, f.Kind, f.Message)
		})
		if err == nil && sum.Faults > 0 {
			err = fmt.Errorf("%s has %d faults and is not restored", c.File, sum.Faults)
		}
		return err
	})
	if err != nil {
		return err
	}
	return a.message(sum, func() { a.say("%s: %d streams, %d entries, sound\n", c.DB, sum.Streams, sum.Entries) })
}

// install puts a file of games in its place.
func (c adminRestoreCmd) install(file string, check func(*boltstore.Store) error) error {
	err := boltstore.Install(file, c.DB, c.Replace, check)
	if errors.Is(err, fs.ErrExist) {
		return c.exists()
	}
	return inUse(c.DB, err)
}

func (c adminRestoreCmd) exists() error {
	return usageError{fmt.Sprintf("%s exists already; --replace puts the backup in its place", c.DB)}
}
