package powerfail

import (
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Image is what a power failure may have left.
type Image struct {
	// Dir is a folder with the files. It is gone after the examination.
	Dir string
	// Said is what the writers had said by then.
	Said []string
	// Number counts the images of a replay, from 1.
	Number int
}

// Options of [Trace.Replay].
type Options struct {
	// Images is how many to make, about; some moments have fewer than their share that differ.
	Images int
	// Seed decides what is left to chance.
	Seed uint64
	// Dir is where images are put for their examination.
	Dir string
	// From, if not nil, says by what was said from when on images are made.
	From func(text string) bool
}

// Bad is an image that did not pass.
type Bad struct {
	// At is the number of the last operation in the trace before the power failed, and Op what it was.
	At int
	Op Op
	// Kept says which of the writes that were not synced are there.
	Kept string
	Err  error
}

func (b Bad) Error() string {
	return fmt.Sprintf("power failure after operation %d (%s), kept of what was not synced: %s: %v", b.At, b.Op, b.Kept, b.Err)
}

// Unwrap returns what the examination found.
func (b Bad) Unwrap() error { return b.Err }

// Result is what a replay found.
type Result struct {
	// Images were examined; at one moment no two of them are the same.
	Images int
	// Moments is at how many places of the trace the power failed.
	Moments int
	// Bad are those images that did not pass, in the order of the trace.
	Bad []Bad
}

// job is an image on its way to its examination.
type job struct {
	files map[string][]byte
	image Image
	bad   Bad
}

// Replay makes images of what the disk may hold after each operation of the trace, or after some where there are more
// operations than images, and has each examined, several at once. The same seed makes the same images. An examination
// that panics has found something. An error is one of the machinery.
func (t Trace) Replay(o Options, examine func(Image) error) (Result, error) {
	var r Result
	var mu sync.Mutex
	var failed error
	jobs := make(chan job)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for j := range jobs {
				found, err := j.run(o.Dir, examine)
				mu.Lock()
				failed = errors.Join(failed, err)
				if found != nil {
					j.bad.Err = found
					r.Bad = append(r.Bad, j.bad)
				}
				mu.Unlock()
			}
		})
	}
	r.Images, r.Moments = t.images(o, func(j job) { jobs <- j })
	close(jobs)
	wg.Wait()
	slices.SortStableFunc(r.Bad, func(a, b Bad) int { return a.At - b.At })
	return r, failed
}

func (j job) run(dir string, examine func(Image) error) (found, err error) {
	if j.image.Dir, err = os.MkdirTemp(dir, "image-*"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(j.image.Dir)) }()
	for name, data := range j.files {
		path := filepath.Join(j.image.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return nil, err
		}
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a file that is too short faults where it is mapped
	defer func() {
		if p := recover(); p != nil {
			found = fmt.Errorf("panic: %v", p)
		}
	}()
	return examine(j.image), nil
}

// images goes through the trace and gives away the images.
func (t Trace) images(o Options, give func(job)) (images, moments int) {
	rnd := rand.New(rand.NewPCG(o.Seed, 0x706f776572))
	each := t.shares(o, rnd)
	d := newDisk()
	var said []string
	seed := maphash.MakeSeed()
	seen, owed := map[uint64]bool{}, 0
	for i, op := range t {
		d.do(i, op)
		if op.Kind == Said {
			said = append(said, op.Text)
		}
		if each[i] == 0 {
			continue
		}
		moments++
		if op.Kind == Said || op.Kind == Sync && !op.Failed {
			clear(seen) // more is asked of the same image
		}
		// Of a moment with little that is not synced few images differ; others make up for it.
		want := each[i] + min(owed, 2*each[i])
		owed += each[i] - want
		for _, c := range choices(rnd, d, i, want) {
			files := d.contents(c)
			h := digest(seed, files)
			if seen[h] {
				continue
			}
			seen[h] = true
			images++
			want--
			give(job{files, Image{Said: said[:len(said):len(said)], Number: images}, Bad{At: i, Op: op, Kept: c.name}})
		}
		owed += want
	}
	return images, moments
}

// tender is for how many operations after an error or a kill half of the images are made: there writers go wrong, and
// it is soon over.
const tender = 40

// shares says how many images are made after each operation. Those operations after which only one thing can be on the
// disk need one.
func (t Trace) shares(o Options, rnd *rand.Rand) []int {
	each := make([]int, len(t))
	d := newDisk()
	from, hit := o.From == nil, -tender
	var settled, open, hurt []int
	for i, op := range t {
		d.do(i, op)
		from = from || op.Kind == Said && o.From(op.Text)
		if op.Failed || op.Kind == Killed {
			hit = i
		}
		switch {
		case !from || op.Kind == Held:
		case !d.unsynced():
			settled = append(settled, i)
		case i < hit+tender:
			hurt = append(hurt, i)
		default:
			open = append(open, i)
		}
	}
	left := o.Images
	spread := func(moments []int, images, most int) {
		moments = slices.Clone(moments)
		rnd.Shuffle(len(moments), func(i, j int) { moments[i], moments[j] = moments[j], moments[i] })
		moments = moments[:min(len(moments), most)]
		for n, i := range moments {
			each[i] = (images + n) / len(moments)
			left -= each[i]
		}
	}
	spread(settled, min(len(settled), o.Images/8), o.Images/8)
	if len(hurt) > 0 {
		spread(hurt, left/2, max(1, left/4))
	}
	spread(open, left, max(1, left/4)) // several for each moment, rather than one for each of many
	return each
}

// choices are n ways in which a disk keeps some of what was not synced.
func choices(rnd *rand.Rand, d *disk, last, n int) []choice {
	if !d.unsynced() {
		return []choice{{name: "all", op: all, change: always}}
	}
	list := ruled(last)
	rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if fixed := (n + 1) / 2; len(list) > fixed {
		list = list[:fixed]
	}
	for len(list) < n {
		list = append(list, random(rnd, last, len(d.changes)))
	}
	return list
}

func digest(seed maphash.Seed, files map[string][]byte) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, name := range sortedKeys(files) {
		fmt.Fprintf(&h, "%s %d ", name, len(files[name]))
		_, _ = h.Write(files[name])
	}
	return h.Sum64()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// String tells the figures in a line, and the first few of what is bad.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d images at %d moments, %d bad", r.Images, r.Moments, len(r.Bad))
	for _, bad := range r.Bad[:min(5, len(r.Bad))] {
		fmt.Fprintf(&b, "\n\t%v", bad)
	}
	return b.String()
}
