package warledger_test

import (
	"regexp"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
)

// TestNewAccount draws tokens of accounts that the server takes, another one each time.
func TestNewAccount(t *testing.T) {
	t.Parallel()
	drawn := make(map[string]bool)
	for range 100 {
		account := warledger.NewAccount()
		if !regexp.MustCompile(`^wl_b_[a-z2-7]{52}$`).MatchString(account) || drawn[account] {
			t.Errorf("drew %s, again: %v", account, drawn[account])
		}
		drawn[account] = true
	}
}
