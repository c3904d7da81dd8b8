//go:build !linux && !darwin && !windows

package doctor

import "errors"

// Free is how many bytes a program without privileges may still write to a folder's disk. Here nobody knows.
func Free(string) (uint64, error) {
	return 0, errors.New("this system's disks are not known to the program")
}
