//go:build amd64 || arm64

package boltstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/bbolt/internal/powerfail"
	"github.com/warledger/warledger/eventstore/storetest"
)

// powerFile is the store in the folder of a writer.
const powerFile = "store.db"

// powerStreams is how many streams a writer has.
const powerStreams = 4

// powerWriters are the writers whose power fails.
func powerWriters() {
	powerfail.Writers(map[string]func(string, []string) error{
		"append": powerAppend, "compact": powerCompact, "restore": powerRestore, "errors": powerErrors,
		"planted": powerPlanted,
	})
}

func powerOptions() Options { return Options{MapSize: 1, recent: 6 << 10} }

// pen appends to a store in the order of a plan, and says so.
type pen struct {
	s    *Store
	meta map[string]uint64
}

// powerOpen opens a store and lets its writer go on where it is.
func powerOpen(path string) (*pen, error) {
	powerfail.Mark("opens")
	s, err := Open(path, powerOptions())
	if err != nil {
		return nil, err
	}
	p := &pen{s: s, meta: map[string]uint64{}}
	list, err := s.List(context.Background(), "", "", 100)
	for _, info := range list {
		if n, of := uint64(0), ""; len(info.Meta) > 0 {
			if _, err := fmt.Sscanf(string(info.Meta), "metadata %d of %s", &n, &of); err == nil {
				p.meta[info.Name] = n
			}
		}
	}
	powerfail.Mark("open")
	return p, err
}

func (p *pen) close() error {
	powerfail.Mark("closes")
	err := p.s.Close()
	powerfail.Mark("closed")
	return err
}

// append appends one to three entries to a stream, or sets its metadata, or both, as the stream's version says.
func (p *pen) append(stream string) error {
	ctx := context.Background()
	c := &storetest.Chain{Stream: stream}
	info, err := p.s.Head(ctx, stream)
	if err == nil {
		c.Version, c.Hash = info.Version, info.Hash
	} else if !errors.Is(err, eventstore.ErrNotFound) {
		return err
	}
	a := eventstore.Append{Stream: stream, Expected: c.Version}
	for range 1 + c.Version%3 {
		v := c.Version + 1
		a.Entries = append(a.Entries, c.Next(powerKey(stream, v), powerData(stream, v)).Entries...)
	}
	meta := uint64(0)
	if c.Version%4 == 0 {
		meta = p.nextMeta(stream)
		a.Meta, a.MetaExpected = []byte(powerMeta(stream, meta)), eventstore.AnyMeta
	}
	powerfail.Mark("try %s %d %d %d", stream, a.Expected, c.Version, meta)
	if err := p.s.Append(ctx, a); err != nil {
		return err
	}
	powerfail.Mark("done %s %d %d", stream, c.Version, meta)
	return nil
}

func (p *pen) nextMeta(stream string) uint64 {
	p.meta[stream]++
	return p.meta[stream]
}

func (p *pen) setMeta(stream string) error {
	meta := p.nextMeta(stream)
	powerfail.Mark("try %s 0 0 %d", stream, meta)
	if err := p.s.SetMeta(context.Background(), stream, []byte(powerMeta(stream, meta)),
		eventstore.AnyMeta); err != nil {
		return err
	}
	powerfail.Mark("done %s 0 %d", stream, meta)
	return nil
}

func powerStream(i int) string { return fmt.Sprint("s", i%powerStreams) }

// step is the i-th thing that a writer does.
func (p *pen) step(i int) error {
	if i%11 == 10 {
		return p.setMeta(powerStream(i - 4))
	}
	return p.append(powerStream(i*5 + i/4))
}

// powerAppend appends so many times, each of so many writers at once, and closes the store if it shall.
func powerAppend(dir string, args []string) error {
	steps, err1 := strconv.Atoi(args[0])
	writers, err2 := strconv.Atoi(args[1])
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	p, err := powerOpen(filepath.Join(dir, powerFile))
	if err != nil {
		return err
	}
	if writers == 1 {
		for i := range steps {
			if err := p.step(i); err != nil {
				return err
			}
		}
	} else if err := p.together(steps, writers); err != nil {
		return err
	}
	if args[2] == "close" {
		return p.close()
	}
	return nil
}

// together has writers append at once, each to a stream of its own.
func (p *pen) together(steps, writers int) error {
	var wg sync.WaitGroup
	errs := make([]error, writers)
	for w := range writers {
		own := &pen{p.s, map[string]uint64{powerStream(w): p.meta[powerStream(w)]}}
		wg.Go(func() {
			for range steps {
				errs[w] = errors.Join(errs[w], own.append(powerStream(w)))
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// powerCompact compacts the store, and appends a little.
func powerCompact(dir string, args []string) error {
	path := filepath.Join(dir, powerFile)
	if _, err := os.Stat(path); err == nil {
		powerfail.Mark("compacts")
		if _, _, err := Compact(path); err != nil {
			return err
		}
		powerfail.Mark("compacted")
	}
	return powerAppend(dir, args)
}

// powerRestore puts a backup in the store's place, and appends a little to it.
func powerRestore(dir string, args []string) error {
	path := filepath.Join(dir, powerFile)
	powerfail.Mark("swap backup")
	if err := Install(filepath.Join(dir, "backup.db"), path, true, func(*Store) error { return nil }); err != nil {
		return err
	}
	powerfail.Mark("swapped")
	return powerAppend(dir, args)
}

// powerErrors appends in one folder after another, from one number to another, as errors come; it then closes the
// store, opens it anew and goes on.
func powerErrors(dir string, args []string) error {
	from, err1 := strconv.Atoi(args[0])
	to, err2 := strconv.Atoi(args[1])
	steps, err3 := strconv.Atoi(args[2])
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	for i := from; i < to; i++ {
		name := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(name, 0o700); err != nil {
			return err
		}
		powerfail.Mark("begin %d", i)
		if err := throughErrors(filepath.Join(name, powerFile), steps); err != nil {
			return fmt.Errorf("with error %d: %w", i, err)
		}
		powerfail.Mark("end %d", i)
	}
	return nil
}

// throughErrors goes on after errors: with the store that had them, and then with it opened anew. Errors end after a
// while.
func throughErrors(path string, steps int) error {
	for life := range 3 {
		p, err := powerOpen(path)
		for try := 0; err != nil && try < 4; try++ {
			powerfail.Mark("error %v", err)
			p, err = powerOpen(path)
		}
		if err != nil {
			return err
		}
		failed := 0
		for i := 0; i < steps && failed < 4; i++ {
			if err := p.step(i + life); err != nil {
				powerfail.Mark("error %v", err)
				failed++
			}
		}
		if err := p.close(); err != nil {
			powerfail.Mark("error %v", err)
		}
		if steps = 4; failed == 0 && life > 0 {
			return nil
		}
	}
	return errors.New("errors do not end")
}
