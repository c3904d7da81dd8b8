package doctor

import "golang.org/x/sys/windows"

// Free is how many bytes a program without privileges may still write to a folder's disk.
func Free(folder string) (free uint64, err error) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, err
	}
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return free, err
}
