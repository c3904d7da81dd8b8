//go:build linux || darwin

package doctor

import "golang.org/x/sys/unix"

// Free is how many bytes a program without privileges may still write to a folder's disk.
func Free(folder string) (uint64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(folder, &s)
	return s.Bavail * uint64(s.Bsize), err
}
