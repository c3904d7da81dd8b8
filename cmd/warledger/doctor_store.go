package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/warledger/warledger/cmd/warledger/internal/doctor"
	"github.com/warledger/warledger/eventstore"
	adminv1 "github.com/warledger/warledger/proto/warledger/admin/v1"
)

// store looks at where games are stored.
func (e *examination) store(at place) {
	if at == "" {
		e.add(doctor.Finding{Check: "store.check", State: doctor.Note,
			Found: "the server's disk and store were not checked", Do: "on its machine: warledger doctor --db FILE"})
		return
	}
	if at.isDatabase() {
		e.check(at)
		return
	}
	path := string(at)
	folder := filepath.Dir(path)
	if file, err := filepath.EvalSymlinks(path); err == nil { // the disk of the file, not that of a link to it
		folder = filepath.Dir(file)
	}
	if free, err := doctor.Free(folder); err != nil {
		e.add(doctor.Finding{Check: "disk.space", State: doctor.Problem, Found: fmt.Sprintf("%s: %v", folder, err),
			Do: "check that the folder exists and who owns it"})
	} else {
		e.add(doctor.Room(folder, free))
	}
	took, err := doctor.Syncs(folder)
	e.add(doctor.SyncSpeed(folder, took, err))
	info, err := os.Stat(path)
	if err != nil {
		e.add(doctor.Finding{Check: "store.size", State: doctor.Problem, Found: err.Error(),
			Do: "check the name; a server makes the file at its first start"})
		return
	}
	e.add(doctor.Bound(path, uint64(info.Size()), e.cmd.DBBytes))
	e.check(at)
}

// formatted is a store that lies in a file of some format.
type formatted interface {
	Format() (found, newest uint32, err error)
}

// check examines everything stored, at the server if it has the file open.
func (e *examination) check(at place) {
	name, err := at.name()
	if err != nil { // which may hold a password
		name = "the store"
	}
	var faults []doctor.Finding
	report := func(f *adminv1.StoreFault) { faults = append(faults, doctor.Fault(f)) }
	sum, format, err := e.examine(at, report)
	switch {
	case errors.Is(err, eventstore.ErrLocked) && e.cmd.AdminToken == "":
		e.add(doctor.Finding{Check: "store.check", State: doctor.Note,
			Found: name + " is in use by a server, as it should be",
			Do:    "add --token-file FILE to have the server check what is stored, or stop it first"})
	case err != nil:
		e.add(doctor.Unread(name, err))
	default:
		e.add(faults...)
		e.add(doctor.Stored(name, sum))
		e.add(format...)
	}
}

// examine checks a store that no server has to itself, or has the server check it.
func (e *examination) examine(at place, report func(*adminv1.StoreFault)) (
	sum *adminv1.CheckSummary, format []doctor.Finding, err error,
) {
	store, err := at.open(e.app.ctx)
	switch {
	case errors.Is(err, eventstore.ErrLocked) && e.cmd.AdminToken != "":
		e.app.line.Admin.TokenFile = e.cmd.AdminToken
		if e.cmd.Ops != "" && e.cmd.Ops != "off" {
			e.app.line.Admin.Ops = e.cmd.Ops
		}
		sum, err = e.app.checkServer(report)
		return sum, nil, err
	case err != nil:
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if f, ok := store.(formatted); ok {
		found, newest, err := f.Format()
		format = []doctor.Finding{doctor.Format(found, newest, err)}
	}
	sum, err = checkStore(e.app.ctx, store, report)
	return sum, format, err
}
