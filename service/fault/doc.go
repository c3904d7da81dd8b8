// Package fault owns the table of everything that the service can answer besides what was asked for: reason,
// code, details, sentence.
//
// Domain errors are typed values, [Error], made of a row of the table and mapped to a gRPC status once, at the edge.
// Every status carries one google.rpc.ErrorInfo with the domain [Domain]; whatever is dynamic in the message is in its
// metadata too. Reasons of refusals by a rulebook come from rulesets ([Refused]) and have the code of [IllegalCommand].
// docs/reference/errors.md is generated from the table; a test holds the two together.
package fault

// Domain is that of every ErrorInfo.
const Domain = "warledger"
