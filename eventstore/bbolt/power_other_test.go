//go:build !linux || (!amd64 && !arm64)

package boltstore

// powerWriters is empty: what a writer does is recorded on Linux alone.
func powerWriters() {}
