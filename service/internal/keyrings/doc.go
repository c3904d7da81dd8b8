// Package keyrings keeps what people want to find again on every device, and says how they sign in.
//
// The server does not interpret the contents of a keyring. It stores one for each credential: a secret of a person's
// own, or the identity that a provider's token names. The store has no credential, no name of a person and no contents
// that can be read: seal.go says what each is made of.
//
//	server.go   KeyringService: the calls
//	sign_in.go  its calls that sign people in with the identity provider
//	shelf.go    reading, replacing, emptying and removing what is stored
//	places.go   the bound on keyrings that hold something, over all servers of a store
//	seal.go     where a keyring is stored, and how it is encrypted there
package keyrings
