package uploads

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/warledger/warledger/service/fault"
)

// uploading is a table of imports with a clock of its own.
type uploading struct {
	*Table
	t   *testing.T
	now time.Time
}

func newUploading(t *testing.T, places, each, bytes int) *uploading {
	return &uploading{New(places, each, bytes), t, time.Unix(1_000_000, 0)}
}

// part brings so many bytes to an upload, a new one if the id is new, and gives the reason of the
// refusal, if there is one.
func (u *uploading) part(request uuid.UUID, caller string, size int) fault.Reason {
	u.t.Helper()
	up, err := u.Find(request, caller, u.now)
	if err == nil {
		err = up.Take(uint64(len(up.Data)), make([]byte, size), MaxFile,
			func(more int) error { return u.Hold(up, more, u.now) })
	}
	if err == nil {
		return ""
	}
	var known *fault.Error
	if !errors.As(err, &known) {
		u.t.Fatal(err)
	}
	return known.Reason
}

func (u *uploading) wants(what string, got, want fault.Reason) {
	u.t.Helper()
	if got != want {
		u.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// TestUploadPlaces shares places out by caller, and gives those of idle or slow uploads to the next caller.
func TestUploadPlaces(t *testing.T) {
	t.Parallel()
	u := newUploading(t, 3, 2, 1<<30)
	first, second, third := uuid.New(), uuid.New(), uuid.New()
	u.wants("one", u.part(first, "a", 1), "")
	u.wants("two", u.part(second, "a", 1), "")
	u.wants("three of one caller", u.part(uuid.New(), "a", 1), fault.TooManyImports)
	u.wants("another caller", u.part(third, "b", 1), "")
	u.wants("no place", u.part(uuid.New(), "c", 1), fault.TooManyImports)
	u.wants("a part of what has one", u.part(first, "a", 1), "")

	// An idle upload loses the place, but only to one that wants it.
	u.now = u.now.Add(uploadRest + time.Second)
	u.Forget(u.now)
	u.wants("after a rest", u.part(first, "a", 1<<20), "")
	u.wants("a place that rests", u.part(uuid.New(), "c", 1), "")
	if len(u.byID) != 2 {
		t.Errorf("%d imports, want the one that goes on and the new one", len(u.byID))
	}

	// An upload of a byte now and then is not idle and loses it all the same; who brings much keeps it.
	drip := uuid.New()
	u.wants("a place for the drip", u.part(drip, "d", 1), "")
	for range 5 {
		u.now = u.now.Add(uploadRest / 2)
		u.wants("goes on", u.part(first, "a", 1<<20), "")
		u.wants("drips", u.part(drip, "d", 1), "")
	}
	u.wants("the place of a slow upload", u.part(uuid.New(), "e", 1), "")
	if u.byID[drip] != nil || u.byID[first] == nil {
		t.Error("the wrong import lost its place")
	}

	u.now = u.now.Add(uploadLife + time.Second)
	u.Forget(u.now)
	if len(u.byID) != 0 || u.held != 0 {
		t.Errorf("%d imports hold %d bytes", len(u.byID), u.held)
	}
}

// TestUploadMemory bounds what all hold together, whatever becomes of those that lose their place.
func TestUploadMemory(t *testing.T) {
	t.Parallel()
	u := newUploading(t, 9, 9, 100)
	first, second := uuid.New(), uuid.New()
	u.wants("one", u.part(first, "a", 60), "")
	u.wants("two", u.part(second, "b", 60), fault.TooManyImports)
	u.wants("two, smaller", u.part(second, "b", 40), "")
	u.wants("one more byte", u.part(first, "a", 1), fault.TooManyImports)

	// A call that is on its way when its import loses the place begins again; nothing is held for it.
	lost := u.byID[first]
	u.now = u.now.Add(uploadLife + time.Second)
	u.wants("the other goes on", u.part(second, "b", 0), "")
	u.Forget(u.now)
	var known *fault.Error
	if err := u.Hold(lost, 1, u.now); !errors.As(err, &known) || known.Reason != fault.ImportGap {
		t.Errorf("who lost the place: %v", err)
	}
	u.Done(lost)
	u.wants("the room", u.part(uuid.New(), "c", 60), "")
	u.Done(u.byID[second])
	u.wants("the room again", u.part(uuid.New(), "c", 40), "")
	if u.held != 100 {
		t.Errorf("%d bytes are held", u.held)
	}
}
