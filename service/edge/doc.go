// Package edge speaks Connect, gRPC-Web and gRPC over HTTP, in protobuf and in JSON, for services of a gRPC
// server in the same process.
//
// It is made of service descriptors, so a call that is added to the contract is served without a line here. Every call
// goes through the gRPC server, by a connection that never leaves the process: access, limits, redaction, logs and
// metrics exist once. Only the outside of a call is translated: headers, deadlines, errors with their codes and
// details. Answers stay as they came, but for callers who want JSON.
package edge
