// Package mail hands plain-text mail to an SMTP server. It knows nothing of games.
package mail
