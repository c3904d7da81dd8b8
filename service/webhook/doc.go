// Package webhook posts signed notices to addresses that strangers named, as the Standard Webhooks have
// it (https://www.standardwebhooks.com), without letting them reach what only the server can reach. It
// knows nothing of games.
package webhook
