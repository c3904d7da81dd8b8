package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// gcPercent has the heap grow by as much as is in use before it is collected.
	gcPercent = 100
	// slack is how many bytes, at most, the heap may grow beyond that. What is in use is mostly small, and
	// collecting a small heap all the time took a fifth of the processor under load. A larger share would be too
	// much of a large heap.
	slack = 64 << 20
	// slackPart is the part of the memory limit that the slack may be.
	slackPart = 16
	// unknownMemory is what the machine is taken to have, in bytes, if nobody can say.
	unknownMemory = 2 << 30
)

// ballast is memory that is never touched and so never really there: the collector counts it as in use.
var (
	ballast   []byte
	ballastUp sync.Once
)

// tuneMemory has the garbage collector keep the program below a percentage of its container's, or else the machine's,
// memory. GOMEMLIMIT and GOGC in the environment win. It returns the limit in bytes, a guess if nobody sets one.
func tuneMemory(percent int) (limit int, err error) {
	if os.Getenv("GOMEMLIMIT") == "" && percent > 0 {
		_, err = memlimit.Set(memlimit.WithRatio(float64(percent)/100),
			memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
	}
	set := debug.SetMemoryLimit(-1)
	if set <= 0 || set > math.MaxInt64/2 {
		set = unknownMemory
	}
	if os.Getenv("GOGC") == "" {
		ballastUp.Do(func() {
			ballast = make([]byte, min(slack, set/slackPart))
			runtime.KeepAlive(ballast) // it is read nowhere
			debug.SetGCPercent(gcPercent)
		})
	}
	return int(set), err
}
