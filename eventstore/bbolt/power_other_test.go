//go:build !linux || (!amd64 && !arm64)

package boltstore

// powerWriters are none: what a writer does is recorded on Linux alone.
func powerWriters() {}
