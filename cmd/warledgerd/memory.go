package main

import (
	"os"
	"runtime/debug"
)

// gcPercent lets the heap grow to five times what is in use before it is collected. What is in use is small, games in memory and calls under way, and
// collecting a small heap all the time took a fifth of the processor under load. GOGC and GOMEMLIMIT in the environment win.
const gcPercent = 400

func tuneMemory() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
