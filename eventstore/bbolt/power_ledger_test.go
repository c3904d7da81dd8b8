package boltstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// A writer whose power will fail says what it does in these words, so that whoever looks at what is left
// knows what must be there.
//
//	try STREAM FROM TO META      it will append the entries after FROM up to TO, with the metadata of that
//	                             number; 0: none
//	done STREAM TO META          that was acknowledged
//	base NAME                    the streams are those of a stock from then on
//	swap NAME, swapped           the store will be replaced by one with the streams of a stock, and that was
//	                             acknowledged

// powerKey and powerData are what an entry holds, whoever appends it and how often: some without a key, some with one
// that is packed.
func powerKey(stream string, version uint64) string {
	switch version % 3 {
	case 0:
		return ""
	case 1:
		return fmt.Sprint("key-", version)
	}
	return uuid.NewSHA1(uuid.Nil, fmt.Append(nil, stream, version)).String()
}

func powerData(stream string, version uint64) string {
	n := 1 + int(version*7%23)
	if version%29 == 0 {
		n = 400 // more than a page
	}
	return strings.Repeat(fmt.Sprint(stream, " ", version, "; "), n)
}

// powerMeta are the metadata of a stream after so many changes.
func powerMeta(stream string, n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint("metadata ", n, " of ", stream)
}

// ledger is what the store of a writer must hold, and what it may.
type ledger struct {
	streams map[string]*account
	// other is what it holds instead once it is swapped; possibly is whether that has begun.
	other    map[string]*account
	possibly bool
}

// account is what is known of a stream.
type account struct {
	// base are the entries that are not the writer's.
	base []eventstore.Entry
	// baseMeta are the metadata of before the writer's.
	baseMeta string
	// done is the last version that was acknowledged, and tried are those that appends might have come to, with the
	// number of the first metadata that such an append had, or 0. With says for metadata the version that they came
	// with.
	done        uint64
	tried, with map[uint64]uint64
	// doneMeta is the number of the last metadata that were acknowledged, and triedMeta that of the last ones.
	doneMeta, triedMeta uint64
}

// stocks are by what a writer calls them.
type stocks map[string]func() map[string]*account

// tell folds what a writer said into a ledger.
func (s stocks) tell(said []string) (*ledger, error) {
	l := &ledger{streams: map[string]*account{}}
	for _, text := range said {
		var what, name string
		var from, to, meta uint64
		what, rest, _ := strings.Cut(text, " ")
		var err error
		switch what {
		case "base":
			l.streams = s[rest]()
		case "swap":
			l.other, l.possibly = s[rest](), true
		case "swapped":
			l.streams, l.other, l.possibly = l.other, nil, false
		case "try":
			_, err = fmt.Sscan(rest, &name, &from, &to, &meta)
			a := l.account(name)
			if _, repeated := a.tried[to]; to > from && !repeated {
				a.tried[to] = meta
			}
			a.with[meta] = to
			a.triedMeta = max(a.triedMeta, meta)
		case "done":
			_, err = fmt.Sscan(rest, &name, &to, &meta)
			a := l.account(name)
			a.done, a.doneMeta = max(a.done, to), max(a.doneMeta, meta)
		}
		if err != nil {
			return nil, fmt.Errorf("the writer said %q: %w", text, err)
		}
	}
	return l, nil
}

func (l *ledger) account(name string) *account {
	a := l.streams[name]
	if a == nil {
		a = &account{tried: map[uint64]uint64{}, with: map[uint64]uint64{}}
		l.streams[name] = a
	}
	return a
}

// audit compares what a store holds with the ledger.
func (l *ledger) audit(s eventstore.Store) error {
	err := audit(s, l.streams)
	if err == nil || !l.possibly {
		return err
	}
	if other := audit(s, l.other); other != nil {
		return errors.Join(err, other)
	}
	return nil
}

func audit(s eventstore.Store, streams map[string]*account) error {
	ctx := context.Background()
	report, err := checked(s)
	if err != nil {
		return err
	}
	list, err := s.List(ctx, "", "", 1000)
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	found := map[string]eventstore.StreamInfo{}
	entries := uint64(0)
	for _, info := range list {
		found[info.Name] = info
		entries += info.Version
		if streams[info.Name] == nil {
			return fmt.Errorf("nobody made stream %q", info.Name)
		}
	}
	if report.Entries != entries {
		return fmt.Errorf("%d entries in the check, %d in the list", report.Entries, entries)
	}
	for name, a := range streams {
		if err := a.audit(s, name, found[name]); err != nil {
			return fmt.Errorf("stream %q: %w", name, err)
		}
	}
	return nil
}

// checked is a check that finds nothing.
func checked(s eventstore.Store) (eventstore.CheckReport, error) {
	var faults []error
	report, err := s.Check(context.Background(), storetest.Verify, func(f eventstore.Fault) {
		if len(faults) < 5 {
			faults = append(faults, errors.New(f.String()))
		}
	})
	return report, errors.Join(append(faults, err)...)
}

func (a *account) audit(s eventstore.Store, name string, info eventstore.StreamInfo) error {
	meta, tried := a.tried[info.Version]
	if info.Version != a.done && !tried || info.Version < a.done {
		return fmt.Errorf("it has version %d; %d was acknowledged, and appends tried to come to %v",
			info.Version, a.done, a.tried)
	}
	if err := a.auditMeta(name, info, meta); err != nil {
		return err
	}
	if info.Version == 0 {
		return nil
	}
	all, err := s.Read(context.Background(), name, 1, int(info.Version)+1, 64<<20)
	if err != nil {
		return err
	}
	if uint64(len(all)) != info.Version {
		return fmt.Errorf("%d entries of %d", len(all), info.Version)
	}
	for i, e := range all {
		key, data := powerKey(name, e.Version), powerData(name, e.Version)
		if i < len(a.base) {
			key, data = a.base[i].Key, string(a.base[i].Data)
		}
		if e.Version != uint64(i+1) || e.Key != key || string(e.Data) != data {
			return fmt.Errorf("version %d is not what was appended", e.Version)
		}
		if key == "" {
			continue
		}
		if at, there, err := s.Lookup(context.Background(), name, key); err != nil || !there || at != e.Version {
			return fmt.Errorf("the key of version %d is at %d, %t, %w", e.Version, at, there, err)
		}
	}
	return nil
}

// auditMeta looks for the metadata that were acknowledged, or later ones, and for those that came with the last append.
func (a *account) auditMeta(name string, info eventstore.StreamInfo, with uint64) error {
	for n := max(a.doneMeta, with); n <= a.triedMeta; n++ {
		if n == 0 && string(info.Meta) == a.baseMeta || n > 0 && string(info.Meta) == powerMeta(name, n) {
			if to := a.with[n]; n > 0 && to > info.Version {
				return fmt.Errorf("it has the metadata of an append to version %d, and is at %d", to, info.Version)
			}
			return nil
		}
	}
	return fmt.Errorf("metadata %q; those with number %d were acknowledged, number %d came with the last append, and "+
		"the last that were tried are %d",
		info.Meta, a.doneMeta, with, a.triedMeta)
}
