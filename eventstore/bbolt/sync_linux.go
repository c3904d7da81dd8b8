package boltstore

import (
	"os"
	"syscall"
)

// syncData makes what was written durable, and of what is known about the file only what is needed to read it.
func syncData(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
