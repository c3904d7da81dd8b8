package fault

import "google.golang.org/grpc/codes"

const (
	badRequest   = "BadRequest"
	resourceInfo = "ResourceInfo"
	precondition = "PreconditionFailure"
	localized    = "LocalizedMessage"
	help         = "Help"
	retryInfo    = "RetryInfo"
	quotaFailure = "QuotaFailure"
)

// ruleKeys are the metadata of whatever the rules refuse.
var ruleKeys = []string{"rule", "pieces", "spaces", "…"}

// ruleDetails are the details of whatever the rules refuse.
var ruleDetails = []string{precondition, localized, help}

var table = []Row{
	{ValidationFailed, codes.InvalidArgument, []string{badRequest}, nil,
		"A field of the request has the wrong shape, or is unknown to the server. All such fields are listed at once."},
	{PageTokenInvalid, codes.InvalidArgument, nil, nil,
		"The page token did not come from this call with the same request. Begin with the first page."},
	{ResumeTokenInvalid, codes.InvalidArgument, nil, nil,
		"The resume token did not come from this server for this game and this viewer. Begin with a version or the " +
			"board."},
	{ScenarioInvalid, codes.InvalidArgument, []string{badRequest}, nil,
		"The scenario document has faults. All are listed at once, each with its path in the document."},
	{OptionInvalid, codes.InvalidArgument, []string{badRequest}, nil,
		"The ruleset has no such option, or the option cannot have that value. All faults are listed at once."},
	{SeatRequired, codes.InvalidArgument, nil, []string{"seats"},
		"The caller holds several seats and the request names none."},
	{MalformedCommand, codes.InvalidArgument, ruleDetails, ruleKeys,
		"The command cannot be read. It is not a message or notation of the ruleset, or a part is missing, out of " +
			"range or given twice."},
	{ImportInvalid, codes.InvalidArgument, []string{badRequest}, []string{"errors"},
		"The file is not a complete game file, or an audit found errors in it. The first errors are listed, each " +
			"with its record."},
	{ImportRedacted, codes.InvalidArgument, nil, []string{"hidden"},
		"The file was exported for a viewer who could not see everything, so it cannot be imported. It can be " +
			"verified."},

	{TokenRequired, codes.Unauthenticated, nil, nil,
		"The call needs a token in the metadata \"authorization\" (\"Bearer wl_…\"), and there is none."},
	{TokenMalformed, codes.Unauthenticated, nil, nil,
		"The metadata \"authorization\" is not \"Bearer wl_…\" with a token of a game, nor, " +
			"where the server takes them, one identity token."},
	{TokenUnknown, codes.Unauthenticated, nil, nil,
		"The token is not one of this game."},
	{TokenRevoked, codes.Unauthenticated, nil, nil,
		"The token was revoked, or its seat was left or freed since. A stream ends with this error when that happens."},
	{TokenExpired, codes.Unauthenticated, nil, nil,
		"A token of the call has expired. A stream ends with this error when that happens."},
	{SignInFailed, codes.Unauthenticated, nil, []string{"error"},
		"The identity provider gave no token for the code: the code is used or too old, or was made for another " +
			"request. Sign in again."},
	{IdentityInvalid, codes.Unauthenticated, nil, nil,
		"The server's identity provider did not make the identity token for this server, or the token has expired. " +
			"Sign in again."},
	{TokenTooNarrow, codes.PermissionDenied, nil, []string{"seat"},
		"The token opens less of the seat than the call needs. It can only see; or it was made from another token, " +
			"and so can neither leave the seat nor make tokens."},
	{NotYourSeat, codes.PermissionDenied, nil, []string{"seat", "holds"},
		"The caller does not hold the seat that the request names, or none that the call needs."},
	{NotOwner, codes.PermissionDenied, nil, nil,
		"Only the owner of the game may do that."},
	{ComputerNotYours, codes.PermissionDenied, nil, []string{"seat"},
		"The owner of the game may take the seat back from the computer, players whom the owner invites to it, and " +
			"the holder of the seat that gave it. Nobody else may."},
	{InvitationRequired, codes.PermissionDenied, nil, []string{"seat"},
		"The owner decides who may take the seat. Bring an invitation, which is a token of RIGHTS_JOIN that the " +
			"owner made for the seat, or the owner's own token."},
	{CodeInvalid, codes.PermissionDenied, nil, nil,
		"The code is not the one that was sent for that mailbox. The answer does not reveal whether the mailbox " +
			"exists."},
	{ForkHidden, codes.PermissionDenied, nil, []string{"version", "hidden"},
		"Something on the line to the version is hidden from the caller. Only callers who may see everything on " +
			"that line may fork the game before it is over."},
	{SeatMuted, codes.PermissionDenied, nil, []string{"seat"},
		"The owner of the game does not let the seat write to the table or to its side. Notes can still be written."},
	{ComputerSilent, codes.PermissionDenied, nil, []string{"seat"},
		"A computer holds the seat, and computers say nothing."},
	{TalkHidden, codes.PermissionDenied, nil, nil,
		"The owner of the game does not let spectators read what is said at the table."},
	{MessageNotYours, codes.PermissionDenied, nil, []string{"seat"},
		"Whoever wrote the message may delete it, and the owner of the game, if it was said at the table. Nobody " +
			"else may."},

	{GameNotFound, codes.NotFound, []string{resourceInfo}, []string{"game"},
		"There is no game of that name."},
	{RulesetNotFound, codes.NotFound, []string{resourceInfo}, []string{"ruleset", "known"},
		"This server has no ruleset of that name."},
	{ScenarioNotFound, codes.NotFound, []string{resourceInfo}, []string{"scenario", "ruleset"},
		"The ruleset comes with no scenario of that name."},
	{RuleNotFound, codes.NotFound, []string{resourceInfo}, []string{"rule", "ruleset"},
		"The rulebook has no paragraph of that id."},
	{SeatNotFound, codes.NotFound, []string{resourceInfo}, []string{"seat", "known"},
		"The game has no seat of that id."},
	{TokenNotFound, codes.NotFound, []string{resourceInfo}, []string{"token"},
		"The game has no token of that name that the caller may revoke."},
	{HeadNotLogged, codes.NotFound, []string{resourceInfo}, []string{"game", "size"},
		"The tree of that size holds no head of the game. Ask for a new checkpoint first."},
	{WebhookNotFound, codes.NotFound, []string{resourceInfo}, []string{"webhook"},
		"The game has no webhook of that name that the caller may see."},
	{MailboxNotFound, codes.NotFound, []string{resourceInfo}, []string{"mailbox"},
		"The mailbox is gone: somebody ended it, or nobody agreed to mail within two days."},
	{ComputerNotFound, codes.NotFound, []string{resourceInfo}, []string{"computer"},
		"No computer of that name is on offer now. ListComputers has those that are."},
	{MessageNotFound, codes.NotFound, []string{resourceInfo}, []string{"message"},
		"The game has no message of that name that the caller may read, or the message was deleted."},
	{KeyringNotFound, codes.NotFound, nil, []string{"etag"},
		"The server keeps no keyring for the caller. Either none was written, or it was deleted, or nobody wrote it " +
			"for so long that the server removed it. A first write with this etag fails if one was deleted since."},
	{VersionNotFound, codes.OutOfRange, nil, []string{"version", "current", "turn", "time"},
		"The game has no record of that version yet, or none for that turn or time."},

	{VersionConflict, codes.Aborted, nil, []string{"expected", "current"},
		"The game has moved on since the version that the caller knows. Look at it again before deciding; a blind " +
			"retry is wrong."},
	{RequestIDReused, codes.AlreadyExists, nil, []string{"version"},
		"The request id was used before for something else. Ids are for one request and its retries."},
	{CursorAhead, codes.OutOfRange, nil, []string{"version", "current"},
		"A watch asks to begin after a version that does not exist yet."},
	{ImportGap, codes.OutOfRange, nil, []string{"received"},
		"The part begins after the last byte that has arrived. Go on from the byte in received; the server may have " +
			"dropped earlier parts."},
	{TreeSizeUnknown, codes.OutOfRange, nil, []string{"size", "current"},
		"The log of heads does not have a tree of that size yet. If it had one before, the server has lost or " +
			"replaced its log."},
	{KeyringChanged, codes.Aborted, nil, nil,
		"The keyring is not the one that the etag names. Read it again, merge the two, and write the result."},
	{OfferReplaced, codes.Aborted, nil, nil,
		"A later stream offers the same computer. Do not offer it again: the two would end each other for ever."},
	{ComputerNameTaken, codes.AlreadyExists, nil, nil,
		"Another computer has that name, or had it on this server before. Choose another name."},
	{GameExists, codes.AlreadyExists, []string{resourceInfo}, []string{"game"},
		"The server has a game of that id already, made here or imported."},

	{IllegalCommand, codes.FailedPrecondition, ruleDetails, ruleKeys,
		"A rule forbids the command. The metadata say which rule, and hold the numbers of the message."},
	{NotYourDecision, codes.FailedPrecondition, ruleDetails, ruleKeys,
		"The game does not wait for this seat, or not for this kind of command."},
	{GameOver, codes.FailedPrecondition, nil, nil,
		"The game is over and takes no more changes."},
	{UnknownPiece, codes.FailedPrecondition, ruleDetails, ruleKeys,
		"The command names a piece that the scenario does not have, or that the seat does not own."},
	{UnknownSpace, codes.FailedPrecondition, ruleDetails, ruleKeys,
		"The command names a space that the map does not have."},
	{DiceExpected, codes.FailedPrecondition, nil, []string{"index", "sides", "reason", "given", "used", "value"},
		"The manual dice do not fit what the command needs: one is missing, impossible or left over. The metadata " +
			"say what was expected."},
	{DiceUnexpected, codes.FailedPrecondition, nil, nil,
		"The command came with dice, but the game does not have manual dice."},
	{DiceAwaited, codes.FailedPrecondition, nil, []string{"asked", "missing"},
		"A command waits for mutual dice. asked names the record that asked for them, missing the seats that owe " +
			"their links. Until they answer, commands, undo, redo and new chains are refused, and a seat that owes " +
			"a link cannot be left or freed."},
	{DiceNotOwed, codes.FailedPrecondition, nil, []string{"asked", "pending"},
		"The record in asked does not wait for a link of the seat: the link came before, or the dice were thrown " +
			"without it."},
	{LinkWrong, codes.FailedPrecondition, nil, []string{"seat", "link"},
		"The bytes sent are not the link of the seat's chain with the number in link. The seat still owes that link."},
	{ChainRequired, codes.FailedPrecondition, nil, []string{"seat"},
		"The game has mutual dice: TakeSeat, and the answer with the last link of a chain, must bring a new chain. " +
			"A client without support for them cannot play this game."},
	{ChainUnexpected, codes.FailedPrecondition, nil, []string{"seat"},
		"The request must not bring a chain: the game has other dice, the current chain has links left, or it was " +
			"renewed since the last command."},
	{SeatTaken, codes.FailedPrecondition, nil, []string{"seat", "holder"},
		"Somebody else holds the seat."},
	{SeatFree, codes.FailedPrecondition, nil, []string{"seat"},
		"Nobody holds the seat, so nobody can leave it."},
	{SeatGuarded, codes.FailedPrecondition, nil, []string{"seat", "guard"},
		"Whoever takes the seat sees what its last holder could see. If guard is owner, the owner, and players whom " +
			"the owner invites, need the others' consent. If guard is all, everybody but its last holder needs it. " +
			"AccessService.OfferSeat asks for consent; it returns this error if there is nobody to ask."},
	{SeatUnguarded, codes.FailedPrecondition, nil, []string{"seat"},
		"The seat needs no consent: anyone whom the join policy lets in may take it."},
	{SeatNotOffered, codes.FailedPrecondition, nil, []string{"offered", "pending"},
		"No offer of a seat with that number waits for an answer from this seat."},
	{UndoBarrier, codes.FailedPrecondition, nil, []string{"barrier", "cause", "needed"},
		"A record after the target threw dice, revealed something or came from another seat; barrier is the latest " +
			"of them and cause says which. Set ask to ask the seats in needed for consent. It is returned with ask " +
			"too if the owner put the player of such a seat out and somebody took the seat without consent."},
	{UndoTarget, codes.FailedPrecondition, nil, []string{"target", "head"},
		"The target is not on the line from the first record to the head, or is the head."},
	{NothingToUndo, codes.FailedPrecondition, nil, nil,
		"No command has been made on this line."},
	{NothingToRedo, codes.FailedPrecondition, nil, nil,
		"Nothing was undone since the last command."},
	{UndoNotAsked, codes.FailedPrecondition, nil, []string{"asked", "pending"},
		"No undo request with that number waits for an answer from this seat."},
	{UndoPending, codes.FailedPrecondition, nil, []string{"asked"},
		"An undo waits for consent already."},
	{NothingChanges, codes.FailedPrecondition, nil, nil,
		"The aside would change nothing, so it makes no record. (An aside is an offer or an order of a seat that " +
			"the game does not wait for.)"},
	{GameUnplayable, codes.FailedPrecondition, nil, []string{"ruleset"},
		"The game is of a ruleset that this server does not have, or of a newer version of it."},
	{GameReadOnly, codes.FailedPrecondition, nil, nil,
		"The game was imported before it was over, so its secrets are elsewhere. It can be looked at and forked."},
	{ComputerUnsuited, codes.FailedPrecondition, nil, []string{"computer", "cause"},
		"The computer does not play this game. Cause is ruleset, scenario or dice: computers play with committed " +
			"dice only."},
	{ComputerNotSeated, codes.FailedPrecondition, nil, []string{"seat"},
		"No computer holds the seat."},
	{CheckpointsOff, codes.FailedPrecondition, nil, nil,
		"The server has no key to sign checkpoints with."},
	{NoCalculator, codes.FailedPrecondition, nil, []string{"ruleset"},
		"The ruleset has no battle calculator. Ruleset.calculates_battles says which rulesets have one."},
	{NotComparable, codes.FailedPrecondition, nil, []string{"left", "right"},
		"The games are of different scenarios, so there is nothing to compare."},
	{DeadlinesNotAsked, codes.FailedPrecondition, nil, []string{"proposed", "pending"},
		"No proposal of deadlines with that number waits for an answer from this seat."},
	{NoDeadlines, codes.FailedPrecondition, nil, nil,
		"The game has no deadlines, so nothing stands still for a holiday."},
	{HolidaysSpent, codes.FailedPrecondition, nil, []string{"left"},
		"The seat has fewer days of holiday left."},
	{WebhooksOff, codes.FailedPrecondition, nil, nil,
		"This server posts to no webhooks."},
	{MailOff, codes.FailedPrecondition, nil, nil,
		"This server sends no mail."},
	{TalkOff, codes.FailedPrecondition, nil, nil,
		"Talk is switched off on this server. What was said before can be read and deleted."},
	{SignInOff, codes.FailedPrecondition, nil, nil,
		"This server has no identity provider, so nobody signs in with one."},
	{KeyringsOff, codes.FailedPrecondition, nil, nil,
		"This server keeps no keyrings, or none for people who sign in with its identity provider."},
	{KeyringSealed, codes.FailedPrecondition, nil, nil,
		"The server cannot open what it keeps for the caller: it is damaged, or was kept for somebody else. " +
			"DeleteKeyring makes room for a new keyring. (With another signing key the server finds none at all.)"},

	{RateLimited, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, []string{"limit"},
		"The caller exceeds its share of work, or of bytes to be stored in a day. RetryInfo says when the same " +
			"request will be served. Dear calls count for more."},
	{TooManyCalls, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, []string{"limit"},
		"The server has as many calls under way as it allows, from one address or in all; or the address leaves too " +
			"many bytes of answers unread. Wait for some answers, and read them."},
	{MemoryFull, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, nil,
		"The games in use at this moment take all the memory that games may take, so no other game can be read from " +
			"its log."},
	{TooManyGames, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, []string{"limit"},
		"The server keeps as many games as it may, in all or for this owner, or this address has created as many as " +
			"it may in a day. Existing games can be played on."},
	{ComputerBusy, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The computer plays as many seats as it can. Choose another computer, or try again " +
			"when one of its games is over."},
	{TooManyComputers, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The server allows no more computers on offer, or no more seats played by computers, in all or given from " +
			"one address. End an offer, take a seat back from a computer, or try again later."},
	{TooManyKeyrings, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The server keeps as many keyrings as it may. Use a link to another device."},
	{TooManyTokens, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The game has as many tokens as it may have. Revoke one, or wait until one expires."},
	{TooManyWebhooks, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The seat, or the game, has as many webhooks as it may have. Delete one."},
	{TooManyMessages, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, []string{"limit"},
		"The seat has written as many messages as it may in a minute, and RetryInfo says when it may go on; or it " +
			"has as many notes as it may have. Delete some."},
	{GameTooLarge, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The game's log has reached the server's bound. The game can still be looked at, left, resigned and closed."},
	{TooManyAsides, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The seat has made as many asides as it may since somebody last played, or in this game. In the first case " +
			"it may make more once somebody has played. How often one address takes seats of a game is bounded " +
			"likewise."},
	{TooManyImports, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, []string{"limit"},
		"The server is already importing as many files as it does at once."},
	{ImportTooLarge, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The file is larger than the server takes."},
	{TooManyWatchers, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, []string{"limit"},
		"The server, this game or this caller has as many watches as it may have; limit says how many."},
	{RecordTooLarge, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The record of the command would be too large to be stored."},
	{StoreFull, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, nil,
		"The store is full; or it has no room for new games, because its last tenth is kept for existing ones. It " +
			"can still be read. Nothing was stored."},
	{IdentityUnavailable, codes.Unavailable, []string{retryInfo}, nil,
		"The identity provider does not answer, or had no such key a moment ago, so its tokens cannot be checked. " +
			"The server's own tokens still work."},
	{StoreReadOnly, codes.Unavailable, []string{retryInfo}, nil,
		"The store can be read but not written. Nothing was stored."},
	{StoreFailed, codes.Unavailable, []string{retryInfo}, []string{"uncertain"},
		"The store did not confirm the record. If uncertain is \"true\" it may have been stored all the same; " +
			"repeating the same request is safe."},
	{ShuttingDown, codes.Unavailable, []string{retryInfo}, nil,
		"The server is stopping. Repeat the request later."},
	{LogCorrupt, codes.DataLoss, nil, []string{"game", "version"},
		"The stored log of the game is damaged or was changed. The operator must look at it."},
	{Canceled, codes.Canceled, nil, nil,
		"The caller gave up waiting."},
	{DeadlinePassed, codes.DeadlineExceeded, nil, nil,
		"The request's deadline passed. It may have been carried out; repeating the same request is safe."},
	{AuditTooLong, codes.DeadlineExceeded, nil, []string{"seconds"},
		"The audit takes longer than this server allows. Export the game and check the " +
			"file with \"warledger verify\", " +
			"which has no limit."},
	{Internal, codes.Internal, nil, nil,
		"A defect of the server. Whatever the request changed was stored completely or not at all."},
}
