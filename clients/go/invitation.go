package warledger

import (
	"errors"
	"slices"
)

// ErrNoInvitation says that what was given as an invitation to a seat is another token. Whoever makes such a token void
// takes the seat away with it.
var ErrNoInvitation = errors.New("this token is no invitation: those begin with wl_j_")

// prefixSize is how many characters say what a token opens.
const prefixSize = len("wl_j_")

// CheckInvitation returns [ErrNoInvitation] for a token that does not begin as invitations do. Invitations of older
// servers begin as all their made tokens do, so they pass.
func CheckInvitation(token string) error {
	if slices.Contains([]string{"wl_j_", "wl_g_"}, token[:min(prefixSize, len(token))]) {
		return nil
	}
	return ErrNoInvitation
}
