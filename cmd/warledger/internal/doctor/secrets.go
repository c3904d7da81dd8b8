package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// Secret judges a file that holds secrets: only its owner may read it. With group its group may, too. Of a folder it
// judges whether others may put files in, and says no more: who may read the files depends on their own modes. A file
// that must be there and is not is a problem.
func Secret(check, path string, group, must bool) Finding {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !must:
		return Finding{check, Fine, path + " is not there: nothing is kept yet", ""}
	case err != nil:
		return Finding{check, Problem, fmt.Sprintf("%s can't be examined: %v", path, err),
			"check the name and who may read it"}
	}
	forbidden, wanted := fs.FileMode(0o077), "600"
	bad, good := "others can access %s, which holds secrets (mode %04o)", "only its owner can access %s (mode %04o)"
	if info.IsDir() {
		forbidden, wanted = 0o022, "700"
		bad = "others can put files into %s, which holds secrets (mode %04o)"
		good = "only its owner can put files into %s (mode %04o)"
	} else if group {
		forbidden, wanted = 0o027, "640"
		good = "only its owner and its group can access %s (mode %04o)"
	}
	mode := info.Mode().Perm()
	switch {
	case runtime.GOOS == "windows":
		return Finding{check, Note, path + " is there; who may read it is up to its folder's permissions", ""}
	case mode&forbidden != 0:
		return Finding{check, Problem, fmt.Sprintf(bad, path, mode),
			fmt.Sprintf("chmod %s %s; if others use this machine, replace the secrets", wanted, path)}
	}
	if mode&0o070 == 0 && !info.IsDir() {
		good = "only its owner can access %s (mode %04o)"
	}
	return Finding{check, Fine, fmt.Sprintf(good, path, mode), ""}
}
