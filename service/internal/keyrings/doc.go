// Package keyrings keeps what people want to find again on every device, and says how they sign in.
//
// A keyring is contents without meaning for the server. It is stored once for whoever brings a credential: a secret of
// their own, or the identity token of a provider. The store has no credential, no name of a person and no contents
// that can be read: seal.go says what each is made of.
//
//	server.go   KeyringService: the calls
//	sign_in.go  its calls that sign people in with the identity provider
//	shelf.go    reading, replacing, emptying and removing what is stored
//	seal.go     where a keyring is stored, and how it is encrypted there
package keyrings
