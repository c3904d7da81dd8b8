package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/postgres"
)

// place is where games are stored: the name of a file, or the address of a database.
type place string

func (p place) isDatabase() bool {
	return strings.HasPrefix(string(p), "postgres://") || strings.HasPrefix(string(p), "postgresql://")
}

// name is the place for messages, without a password. A file's is the same from wherever it is looked at.
func (p place) name() (string, error) {
	if p.isDatabase() {
		return postgres.Place(string(p))
	}
	return filepath.Abs(string(p))
}

// check refuses what is neither an address that a database could have nor meant as a file. It does not repeat it: there
// may be a password in it.
func (p place) check() error {
	if p.isDatabase() {
		_, err := p.name()
		return err
	}
	return checkFiles(string(p))
}

// checkFiles refuses the address of a database where a file is wanted.
func checkFiles(names ...string) error {
	for _, name := range names {
		if strings.Contains(name, "://") || strings.Contains(strings.ToLower(name), "password=") {
			return usageError{"expected the name of a file, not the address of a database"}
		}
	}
	return nil
}

// either is the place that one of two flags names, if one does.
func either(file, database string) (place, error) {
	if err := checkFiles(file); err != nil {
		return "", err
	}
	switch {
	case file != "" && database != "":
		return "", usageError{"--db or --store, not both"}
	case database != "" && !place(database).isDatabase():
		return "", usageError{"--store: expected an address such as postgres://USER@HOST/NAME; --db names a file"}
	}
	return place(file + database), nil
}

// read opens a store that is there, and changes nothing. A database may be served meanwhile.
func (p place) read(ctx context.Context) (eventstore.Store, error) {
	store, err := p.open(ctx)
	return store, inUse(string(p), err)
}

// open is read with the engine's own error, as that the file is in use.
func (p place) open(ctx context.Context) (eventstore.Store, error) {
	if p.isDatabase() {
		return opened(postgres.Open(ctx, string(p), postgres.Options{ReadOnly: true, AcceptLoss: true}))
	}
	store, err := boltstore.Open(string(p), boltstore.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	return store, nil
}

// take opens a store that no server may have open.
func (p place) take(ctx context.Context) (eventstore.Store, error) {
	if p.isDatabase() {
		return opened(postgres.Open(ctx, string(p), postgres.Options{Lock: postgres.LockAlone}))
	}
	store, err := boltstore.Open(string(p), boltstore.Options{})
	if err != nil {
		return nil, inUse(string(p), err)
	}
	return store, nil
}

// mustExist refuses a file that is not there, which opening it would make.
func (p place) mustExist() error {
	if p.isDatabase() {
		return nil
	}
	if _, err := os.Stat(string(p)); errors.Is(err, fs.ErrNotExist) {
		return usageError{fmt.Sprintf("there is no file %s", p)}
	}
	return nil
}

// opened says what to do about a database that a server has open.
func opened(store *postgres.Store, err error) (eventstore.Store, error) {
	switch {
	case err == nil:
		return store, nil
	case errors.Is(err, eventstore.ErrLocked):
		return nil, fmt.Errorf("%w: stop all servers of the database first", err)
	}
	return nil, err
}
