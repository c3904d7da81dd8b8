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
		"A field of the request has the wrong shape. All such fields are listed at once."},
	{PageTokenInvalid, codes.InvalidArgument, nil, nil,
		"The page token is not one that this call gave for the same request. Begin with the first page."},
	{ResumeTokenInvalid, codes.InvalidArgument, nil, nil,
		"The resume token is not one that this server gave for this game and this viewer. Begin with a version or the board."},
	{ScenarioInvalid, codes.InvalidArgument, []string{badRequest}, nil,
		"The scenario document has faults. All are listed at once, each with its path in the document."},
	{OptionInvalid, codes.InvalidArgument, []string{badRequest}, nil,
		"An option is not one of the ruleset, or cannot have that value. All are listed at once."},
	{SeatRequired, codes.InvalidArgument, nil, []string{"seats"},
		"The caller holds several seats and the request names none."},
	{MalformedCommand, codes.InvalidArgument, ruleDetails, ruleKeys,
		"The command cannot be read: it is no message or notation of the ruleset, or a part is missing, out of range or given twice."},

	{TokenRequired, codes.Unauthenticated, nil, nil,
		"The call needs a token in the metadata \"authorization\" (\"Bearer wl_…\"), and there is none."},
	{TokenMalformed, codes.Unauthenticated, nil, nil,
		"The metadata \"authorization\" is not \"Bearer wl_s_…\", \"Bearer wl_o_…\" or \"Bearer wl_g_…\", nor, where the server takes them, one identity token."},
	{TokenUnknown, codes.Unauthenticated, nil, nil,
		"The token is none of this game's."},
	{TokenRevoked, codes.Unauthenticated, nil, nil,
		"The token was one of this game's, and its seat has been left or closed since. A stream ends with this when it happens meanwhile."},
	{TokenExpired, codes.Unauthenticated, nil, nil,
		"A token of the call was good until it expired. A stream ends with this when it happens meanwhile."},
	{IdentityInvalid, codes.Unauthenticated, nil, nil,
		"The identity token is not one that the server's identity provider made for it, or has expired. Log in again."},
	{TokenTooNarrow, codes.PermissionDenied, nil, []string{"seat"},
		"The token opens the seat for less than the call needs: it only sees, or was made of another and can neither leave the seat nor make tokens."},
	{NotYourSeat, codes.PermissionDenied, nil, []string{"seat", "holds"},
		"The caller does not hold the seat that the request names, or none that the call needs."},
	{NotOwner, codes.PermissionDenied, nil, nil,
		"Only the owner of the game may do that."},

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
		"The game has no token of that name that the caller could revoke."},
	{VersionNotFound, codes.OutOfRange, nil, []string{"version", "current"},
		"The game has no record of that version yet."},

	{VersionConflict, codes.Aborted, nil, []string{"expected", "current"},
		"The game has moved on since the version that the caller knows. Look at it again before deciding; a blind retry is wrong."},
	{RequestIDReused, codes.AlreadyExists, nil, []string{"version"},
		"The request id was used before for something else. Ids are for one request and its retries."},
	{CursorAhead, codes.OutOfRange, nil, []string{"version", "current"},
		"A watch asks to begin after a version that does not exist yet."},

	{IllegalCommand, codes.FailedPrecondition, ruleDetails, ruleKeys,
		"A rule forbids the command. The metadata say which rule, and hold the numbers of the message."},
	{NotYourDecision, codes.FailedPrecondition, ruleDetails, ruleKeys,
		"The game does not wait for this seat, or not for this kind of command."},
	{GameOver, codes.FailedPrecondition, nil, nil,
		"The game has ended, and what it was stays."},
	{UnknownPiece, codes.FailedPrecondition, ruleDetails, ruleKeys,
		"The command names a piece that the scenario does not have, or that the seat does not own."},
	{UnknownSpace, codes.FailedPrecondition, ruleDetails, ruleKeys,
		"The command names a space that the map does not have."},
	{DiceExpected, codes.FailedPrecondition, nil, []string{"index", "sides", "reason", "given", "used", "value"},
		"The manual dice do not fit what the command needs: one is missing, impossible or left over. The metadata say what was expected."},
	{DiceUnexpected, codes.FailedPrecondition, nil, nil,
		"Dice were sent and the game throws its own."},
	{SeatTaken, codes.FailedPrecondition, nil, []string{"seat", "holder"},
		"Somebody else holds the seat."},
	{SeatFree, codes.FailedPrecondition, nil, []string{"seat"},
		"Nobody holds the seat, so nobody can leave it."},
	{UndoBarrier, codes.FailedPrecondition, nil, []string{"barrier", "cause", "needed"},
		"A record after the target threw dice, revealed something or came from another seat; barrier is the latest of them and cause says which. " +
			"Set ask to ask the seats in needed for consent."},
	{UndoTarget, codes.FailedPrecondition, nil, []string{"target", "head"},
		"The target is not on the line from the first record to the head, or is the head."},
	{NothingToUndo, codes.FailedPrecondition, nil, nil,
		"No command has been made on this line."},
	{NothingToRedo, codes.FailedPrecondition, nil, nil,
		"Nothing was undone since the last command."},
	{UndoNotAsked, codes.FailedPrecondition, nil, []string{"asked", "pending"},
		"No undo of that number waits for an answer, or not for one of this seat."},
	{UndoPending, codes.FailedPrecondition, nil, []string{"asked"},
		"An undo waits for consent already."},
	{GameUnplayable, codes.FailedPrecondition, nil, []string{"ruleset"},
		"The game is of a ruleset that this server does not have, or of a newer version of it."},

	{RateLimited, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, []string{"limit"},
		"The caller asks for more than its share. RetryInfo says when the same request will be served; calls that cost more work count for more."},
	{TooManyGames, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The server keeps as many games as it was set to. Those that exist can be played on."},
	{TooManyTokens, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The game has as many tokens as it may have. Revoke one, or wait until one expires."},
	{GameTooLarge, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"The game's log is as large as the server lets it be. It can be looked at, left, resigned and closed."},
	{TooManyWatchers, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, []string{"limit"},
		"The server serves as many watches as it was set to, or this game or this caller has as many as one may have. Limit says how many that is."},
	{RecordTooLarge, codes.ResourceExhausted, []string{quotaFailure}, []string{"limit"},
		"What the command caused is too large to be stored."},
	{StoreFull, codes.ResourceExhausted, []string{quotaFailure, retryInfo}, nil,
		"The store is full. It can still be read. Nothing was stored."},
	{IdentityUnavailable, codes.Unavailable, []string{retryInfo}, nil,
		"The identity provider does not answer, so its tokens cannot be checked. The server's own tokens open what they open."},
	{StoreReadOnly, codes.Unavailable, []string{retryInfo}, nil,
		"The store can be read and not written. Nothing was stored."},
	{StoreFailed, codes.Unavailable, []string{retryInfo}, []string{"uncertain"},
		"The store did not take the record. If uncertain is \"true\" it may have been stored all the same; repeating the same request is safe."},
	{ShuttingDown, codes.Unavailable, []string{retryInfo}, nil,
		"The server stops. Repeat the request here later or elsewhere now."},
	{LogCorrupt, codes.DataLoss, nil, []string{"game", "version"},
		"What is stored of the game cannot be trusted. It needs a person."},
	{Canceled, codes.Canceled, nil, nil,
		"The caller gave up waiting."},
	{DeadlinePassed, codes.DeadlineExceeded, nil, nil,
		"The request's deadline passed. It may have been carried out; repeating the same request is safe."},
	{Internal, codes.Internal, nil, nil,
		"A defect of the server. The request changed nothing that was not stored whole."},
}
