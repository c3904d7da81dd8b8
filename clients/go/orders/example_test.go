package orders_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/clients/go/orders"
)

// keepTokens gives an order as docs/howto/bots.md has it.
func keepTokens(ctx context.Context, game *warledger.Game) error {
	order := orders.OCS{Order: orders.OCSKeep, Keep: 8, At: "07.07"} // of clients/go/orders
	notation, err := order.Notation()
	if err != nil {
		return err
	}
	_, err = game.Submit(ctx, warledger.Move{Notation: notation})
	return err
}

var _ = keepTokens // it is compiled: the samples hold what it writes

func ExampleOCS() {
	pay := orders.OCS{Order: orders.OCSDefenceSupply, Value: orders.OCSPay, Keep: 4, At: "11.07", Once: true}
	fmt.Println(pay.Notation())
	spare := orders.OCS{Order: orders.OCSLoses, Value: orders.OCSLast, Units: []string{"bl-1-inf"}}
	fmt.Println(spare.Notation())
	// Output:
	// orders order=defence-supply value=6 at=11.07 once=true <nil>
	// orders bl-1-inf order=loses value=2 <nil>
}

// TestDocumentedOrder: docs/howto/bots.md has the lines of keepTokens.
func TestDocumentedOrder(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/howto/bots.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "```go\norder := ")
	shown, _, found := strings.Cut("order := "+shown, "```\n")
	if !found {
		t.Fatal("docs/howto/bots.md gives no order in Go")
	}
	for line := range strings.Lines(shown) {
		if !strings.Contains(string(source), "\t"+line) {
			t.Errorf("the example does not run this line of docs/howto/bots.md: %s", line)
		}
	}
}
