//go:build !unix

package boltstore

import "os"

// liken gives a file the mode of another.
func liken(name string, as os.FileInfo) error { return os.Chmod(name, as.Mode().Perm()) }

// names is how many names a file has, as far as can be told.
func names(os.FileInfo) uint64 { return 1 }
