// Package unknown finds the fields of a request that this program does not know: misspelt ones, and those of a newer
// contract. Without them a request asks for something else than its sender meant, such as a command that should only
// have been checked.
package unknown
