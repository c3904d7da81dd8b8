//go:build !unix

package boltstore

import "os"

// liken gives a file the mode of another.
func liken(name string, as os.FileInfo) error { return os.Chmod(name, as.Mode().Perm()) }
