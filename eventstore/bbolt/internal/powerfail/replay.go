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

// Image is one state of the files that a power failure may leave.
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
	// Images is how many to make at most, no two of them the same. A short trace may have fewer.
	Images int
	// Seed decides all random choices.
	Seed uint64
	// Dir is where images are put for their examination.
	Dir string
	// From is the number of the operation from which on images are made.
	From int
}

// Bad is an image that did not pass.
type Bad struct {
	// At is the number of the last operation before the power failed, and Op that operation.
	At int
	Op Op
	// Kept says which of the unsynced writes are there.
	Kept string
	Err  error
}

func (b Bad) Error() string {
	return fmt.Sprintf("power failure after operation %d (%s), kept of what was not synced: %s: %v",
		b.At, b.Op, b.Kept, b.Err)
}

// Unwrap returns the error of the examination.
func (b Bad) Unwrap() error { return b.Err }

// Result is what a replay found.
type Result struct {
	// Images is how many images were examined. No two with the same words said are the same.
	Images int
	// Moments is at how many places of the trace the power failed.
	Moments int
	// Bad are the images that did not pass, in the order of the trace.
	Bad []Bad
}

// job is an image on its way to its examination.
type job struct {
	files map[string][]byte
	image Image
	bad   Bad
}

// Replay makes images of what the disk may hold after each operation of the trace, and has each examined, several at
// once. If there are more operations than images, it chooses some. The same seed makes the same images. An examination
// that panics counts as a fault found. An error is a fault of the machinery.
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

// passes is how often a replay goes through a trace at most, to find as many images as were asked for.
const passes = 12

// images makes the images and sends them to the examination.
func (t Trace) images(o Options, give func(job)) (images, moments int) {
	rnd := rand.New(rand.NewPCG(o.Seed, 0x706f776572))
	seed := maphash.MakeSeed()
	seen, visited := map[uint64]bool{}, map[int]bool{}
	for pass := 0; pass < passes && images < o.Images; pass++ {
		left := o
		left.Images -= images
		t.pass(left, rnd, func(j job) {
			h := digest(seed, j)
			if seen[h] || images == o.Images {
				return
			}
			seen[h], visited[j.bad.At] = true, true
			images++
			j.image.Number = images
			give(j)
		})
	}
	return images, len(visited)
}

// pass goes through the trace once. It may make an image several times.
func (t Trace) pass(o Options, rnd *rand.Rand, give func(job)) {
	each := t.shares(o, rnd)
	d := newDisk()
	var said []string
	for i, op := range t {
		d.do(i, op)
		if op.Kind == Said {
			said = append(said, op.Text)
		}
		if each[i] == 0 {
			continue
		}
		for _, c := range choices(rnd, d, i, each[i]) {
			give(job{d.contents(c), Image{Said: said[:len(said):len(said)]}, Bad{At: i, Op: op, Kept: c.name}})
		}
	}
}

// tender is a number of operations after an error or a kill. Half of the images are made there, because writers go
// wrong there and the stretch is short.
const tender = 40

// shares returns how many images are made after each operation. One is enough for an operation after which the disk
// can hold only one thing.
func (t Trace) shares(o Options, rnd *rand.Rand) []int {
	each := make([]int, len(t))
	d := newDisk()
	hit := -tender
	var settled, open, hurt []int
	for i, op := range t {
		d.do(i, op)
		if op.Failed || op.Kind == Killed {
			hit = i
		}
		switch {
		case i < o.From || op.Kind == Held:
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

// choices returns n ways in which a disk keeps some of the unsynced writes.
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

// digest is equal for images that are examined in the same way: by their contents and by what was said.
func digest(seed maphash.Seed, j job) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	fmt.Fprintf(&h, "%d ", len(j.image.Said))
	for _, name := range sortedKeys(j.files) {
		fmt.Fprintf(&h, "%s %d ", name, len(j.files[name]))
		_, _ = h.Write(j.files[name])
	}
	return h.Sum64()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// String returns the figures in a line, and the first few bad images.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d images at %d moments, %d bad", r.Images, r.Moments, len(r.Bad))
	for _, bad := range r.Bad[:min(5, len(r.Bad))] {
		fmt.Fprintf(&b, "\n\t%v", bad)
	}
	return b.String()
}
