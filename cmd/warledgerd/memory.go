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
	// slack is how much the heap may grow beyond that, at most, in bytes. What is in use is mostly small, games in memory and calls under way, and
	// collecting a small heap all the time took a fifth of the processor under load. A share of a large heap would be a large part of the machine.
	slack = 64 << 20
	// slackPart is the part of the memory limit that the slack may be.
	slackPart = 16
	// unknownMemory is what the program takes the machine to have if nobody can say, in bytes.
	unknownMemory = 2 << 30
)

// ballast is memory that is never touched and so never really there: the collector counts it as in use.
var (
	ballast   []byte
	ballastUp sync.Once
)

// tuneMemory has the collector keep the program below a part, in percent, of what its container, or else the machine, has. GOMEMLIMIT and GOGC in the
// environment win. It returns the limit in bytes, a guess if nobody sets one.
func tuneMemory(percent int) (limit int, err error) {
	if os.Getenv("GOMEMLIMIT") == "" && percent > 0 {
		_, err = memlimit.Set(memlimit.WithRatio(float64(percent)/100), memlimit.WithProvider(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)))
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
