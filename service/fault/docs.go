package fault

import (
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
)

// Document writes docs/reference/errors.md.
func Document() string {
	var b strings.Builder
	b.WriteString(`# Errors

Every error of the services is a google.rpc.Status. It carries one google.rpc.ErrorInfo: its domain is ` + "`" +
		Domain + "`" + `,
its reason is one of the table or of a ruleset, and its metadata repeats the variable parts of the message. The message
is English and for developers; reason and metadata are for programs. A reason never changes its meaning.

Only ` + "`UNAVAILABLE`" +
		` is worth a blind retry. Every call that changes something carries an id, so repeating the very same
request is always safe: it gets the first answer.

What a rulebook forbids is ` + "`FAILED_PRECONDITION`" +
		`, whatever the ruleset calls its reason. Such an error has the rule id
in metadata ` + "`rule`" + `, the pieces and spaces concerned in ` + "`pieces`" + ` and ` + "`spaces`" +
		`, and the numbers of the message
under their own names. PreconditionFailure says the same in English, and LocalizedMessage in the language asked for.
Help names the paragraph, with its title in that language, to be read with GetRule.

This page is generated from the table in ` + "`service/fault`" + `; a test compares the two.

`)
	for _, code := range documented {
		fmt.Fprintf(&b, "## %s\n\n| Reason | When | Metadata | Details |\n|---|---|---|---|\n", spelt(code))
		for _, row := range table {
			if row.Code == code {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n",
					row.Reason, row.Sentence, ticked(row.Metadata), ticked(row.Details))
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// documented are the codes in the order of the page.
var documented = []codes.Code{
	codes.InvalidArgument, codes.Unauthenticated, codes.PermissionDenied, codes.NotFound, codes.OutOfRange,
	codes.Aborted,
	codes.AlreadyExists, codes.FailedPrecondition, codes.ResourceExhausted, codes.Unavailable, codes.DataLoss,
	codes.Canceled,
	codes.DeadlineExceeded, codes.Internal,
}

// spelt is a code as the protocol spells it.
func spelt(code codes.Code) string {
	var b strings.Builder
	for i, r := range code.String() {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToUpper(b.String())
}

func ticked(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = "`" + name + "`"
		if name == "…" {
			quoted[i] = name
		}
	}
	return strings.Join(quoted, ", ")
}
