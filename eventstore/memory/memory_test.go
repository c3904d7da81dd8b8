package memory_test

import (
	"bytes"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/storetest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(testing.TB) storetest.Engine {
		s := memory.New()
		return storetest.Engine{
			Store:  s,
			Second: func(testing.TB) eventstore.Store { return s.Share() },
			Restore: func(t testing.TB, backup []byte) eventstore.Store {
				s, err := memory.Restore(bytes.NewReader(backup))
				if err != nil {
					t.Fatal(err)
				}
				return s
			},
		}
	})
}

func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	t.Parallel()
	if s, err := memory.Restore(bytes.NewReader([]byte("no backup"))); err == nil {
		t.Errorf("restored %v", s)
	}
}
