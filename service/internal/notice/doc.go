// Package notice tells people what happens while they do not look: by webhooks and by mail. It also has the deadlines
// of games enforced when they pass.
//
// What is due when stands on an agenda: a few words for a task, so that what rests needs no game in memory. A webhook
// or a mailbox is a follower of its game. It reads the records that are new, tells of those that it is to tell of, and
// keeps in the store how far it is: in the book of the game, one for all its followers.
//
// # The seam
//
// The service tells [Notices.Changed] of each new moment, and notices read and change the book by compare-and-set. A
// delivery goes through follower.tell alone. The id of a notice is made of what it tells, so it is the same on every
// machine.
//
// # Several machines
//
// On a shared store, tell first claims the notice in the book, so that one machine posts it. A claim ends after a
// while by the store's clock, so that another posts what a machine that died did not. What was stored by another
// meanwhile is never overwritten. The machine that changed a game looks at it at once, others some seconds later, and
// only if there is still something to do. From time to time each looks through all books for what nobody has done.
//
// # Map
//
//	notices.go        what is looked at when, beginning and ending
//	book.go           how far the followers of a game are, in the store
//	agenda.go         tasks by the time at which they are due
//	follower.go       a webhook or mailbox as it follows its game
//	sharing.go        claims, and what is left to do by what the store says
//	deliver.go        delivering once, trying again, giving up
//	said.go           telling what others say
//	webhooks.go       followers that post
//	mailboxes.go      followers that send mail
//	letter.go         what mails say
//	confirmations.go  how often an address is asked whether it wants mail
package notice
