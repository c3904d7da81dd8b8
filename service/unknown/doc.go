// Package unknown finds unknown fields of a request: misspelt ones, and those of a newer contract. Without them a
// request asks for something else than its sender meant, such as to carry out a command that should only have been
// checked.
package unknown
