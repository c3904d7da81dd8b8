// Package doctor examines a server and the machine that a program runs on, and says what to do about each thing that
// it finds. Its parts measure and judge apart, so that each judgement can be tested with a planted fault.
package doctor

import (
	"fmt"
	"time"
)

// State is how bad a finding is.
type State string

// The states. Only a problem makes the command fail.
const (
	Fine    State = "ok"
	Note    State = "note"    // could not be examined, or good to know
	Warning State = "warning" // works now, but will fail later
	Problem State = "problem" // does not work, or lets others in
)

// Finding is the outcome of one check.
type Finding struct {
	// Check is its name, such as "disk.space".
	Check string `json:"check"`
	State State  `json:"state"`
	// Found says what is so.
	Found string `json:"found"`
	// Do says what helps; empty if nothing is to be done.
	Do string `json:"do,omitempty"`
}

const (
	// expiresSoon is how long before it expires something is worth a warning.
	expiresSoon = 14 * 24 * time.Hour
	// clockOff and clockWrong are how far two clocks may differ before it is worth a warning, and a problem. A clock
	// that is told by the server has a resolution of a second.
	clockOff   = 5 * time.Second
	clockWrong = time.Minute
)

// Expiry judges when something expires; what names it.
func Expiry(check, what string, at, now time.Time, renew string) Finding {
	left := at.Sub(now)
	when := at.UTC().Format("2006-01-02 15:04 UTC")
	switch {
	case left <= 0:
		return Finding{check, Problem, fmt.Sprintf("%s expired at %s", what, when), renew}
	case left < expiresSoon:
		return Finding{check, Warning, fmt.Sprintf("%s expires at %s, in %s", what, when, span(left)), renew}
	}
	return Finding{check, Fine, fmt.Sprintf("%s is valid until %s", what, when), ""}
}

// span says a duration in days or hours.
func span(d time.Duration) string {
	if days := int(d.Hours() / 24); days >= 2 {
		return fmt.Sprintf("%d days", days)
	}
	return fmt.Sprintf("%d hours", int(d.Hours()))
}

// Clocks compares what the server's clock said with this machine's right before the question and right after the
// answer.
func Clocks(server, before, after time.Time) Finding {
	const check = "clock.server"
	// The server cuts its time to a second, so it may stand anywhere within one.
	off := time.Duration(0)
	switch {
	case server.After(after):
		off = server.Sub(after)
	case server.Add(time.Second).Before(before):
		off = server.Add(time.Second).Sub(before)
	}
	size, found := off, fmt.Sprintf("the server's clock is %s ahead of this machine's", off.Round(time.Second))
	if off < 0 {
		size, found = -off, fmt.Sprintf("the server's clock is %s behind this machine's", (-off).Round(time.Second))
	}
	do := "set both clocks by NTP (timedatectl says whether one is); deadlines, certificates and sign-ins go by them"
	switch {
	case size >= clockWrong:
		return Finding{check, Problem, found, do}
	case size >= clockOff:
		return Finding{check, Warning, found, do}
	}
	return Finding{check, Fine, "the clocks of the server and of this machine agree", ""}
}

// ClockSane judges this machine's clock by the time of the program's source: it can't be earlier.
func ClockSane(now, built time.Time) Finding {
	const check = "clock.machine"
	when := now.UTC().Format("2006-01-02 15:04 UTC")
	switch {
	case built.IsZero():
		return Finding{check, Note, "this machine's clock says " + when, ""}
	case now.Before(built):
		return Finding{check, Problem,
			fmt.Sprintf("this machine's clock says %s, but this program was made after that", when),
			"set its clock; until then certificates seem not to be valid yet"}
	}
	return Finding{check, Fine, "this machine's clock says " + when, ""}
}

// Version is the release of a program and of its rules.
type Version struct {
	// Program is its version; empty if it is not known.
	Program string
	// Rules are the versions of its rulesets by name.
	Rules map[string]uint32
}
