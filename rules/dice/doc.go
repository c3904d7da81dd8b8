// Package dice gives rulesets their dice, one at a time, from whatever [Source] the game uses:
//
//   - [Counted]: the server throws. It publishes a hash of its secret before the first roll, and once the secret is
//     released anyone can compute every roll again. These are committed dice. With what seats reveal for a roll
//     they are mutual dice;
//   - [Committed]: the first format of committed dice, which old games have;
//   - [Manual]: the players throw real dice and send what they threw;
//   - [Seeded]: fast repeatable dice for simulations and tests;
//   - [Script]: recorded rolls once more, for an audit;
//   - [Enumerate]: every outcome that a procedure can have, with its exact chance.
//
// A [Recorder] around any of them keeps what was rolled, for the record. No Source is for use by several goroutines at
// once.
//
// # What they prove, and against whom
//
// Committed dice prove that no die was changed after the game was created. No player can choose or foresee one,
// whatever is undone, redone or forked, and whoever sits down. The operator of the server is another matter: the
// operator knows the secret, may have drawn secrets until one pleased, and foresees every die. A player who is told can
// choose when to throw it.
//
// Mutual dice prove besides that nobody chose or foresaw a die: not the operator, not a player, not both together. This
// holds as long as one seat that revealed a link for the roll belongs to somebody who is not in league with them. That
// player's links must be secret, and the player's client must check what it answers. A link proves no consent: whoever
// agrees to an undo in the player's name gets a new throw, unless the client notices and gives no further link.
//
// Those in league can still stop the game. A seat that owes a link can keep silent after all others have answered;
// with the operator's help it knows what the dice would be. Where the game waits for it, that gains no second throw.
// Where the game goes on without it (SILENCE_GO_ON), whoever can make an answer go missing, such as the operator, can
// choose between throws.
//
// Manual dice prove nothing but what the players say.
//
// # Dice of the second format, byte for byte
//
// This is all that a program in another language needs to check a game. ‖ joins bytes. field(x) is the length of x as
// 4 bytes, big-endian, ‖ x. uint32(n) and uint64(n) are 4 and 8 bytes, big-endian. Labels and names are UTF-8. The
// GameCreated of the game has dice_format 2.
//
//	commitment = SHA-256( field("warledger/dice/1/commitment") ‖ field(secret) )
//
//	key        = SHA-256( field("warledger/dice/2/key") ‖ field(secret) )
//
//	block      = HMAC-SHA-256( key, field("warledger/dice/2/roll") ‖ field(game) ‖ uint64(number) ‖ uint32(attempt) )
//
// The secret is 32 bytes. game is the id of the game, without "games/". number is how many dice the log has before
// this one, on whatever line they were thrown. It counts the leaves of kind roll in all earlier records, including
// hidden ones and those that a fork copied, and the earlier ones of its own record. Begin with attempt 0. Entropy
// of seats has no effect.
//
// A die of n sides takes the bytes of the block in order. Skip bytes of 256 - 256 mod n and above, because they would
// favour low numbers. The first byte b below that is the die: b mod n + 1. If all 32 bytes are skipped, add 1 to
// attempt and make a new block.
//
// Mutual dice, for a record that says that its dice are DICE_SOURCE_MUTUAL, have another key and another label:
//
//	key        = SHA-256( field("warledger/dice/2/mutual-key") ‖ field(secret) ‖ uint32(n)
//	                      ‖ field(seat 1) ‖ field(link 1) ‖ … ‖ field(seat n) ‖ field(link n) )
//
//	block      = HMAC-SHA-256( key,
//	                      field("warledger/dice/2/mutual-roll") ‖ field(game) ‖ uint64(number) ‖ uint32(attempt) )
//
// The seats are those whose links came, sorted by the bytes of their ids. Neither the asking record nor the
// time has an effect: asking again for the same links gives the same dice. A record that says
// DICE_SOURCE_COMMITTED has committed dice.
//
// Each seat has a chain of links of 32 bytes. The last, link N, is drawn at random; the others are hashes. Link 0 is
// the anchor, which is published with N when the seat is taken:
//
//	link i     = SHA-256( field("warledger/dice/2/link") ‖ field(game) ‖ field(seat) ‖ field(link i+1) )
//
// The seat reveals link 1 for the first roll that it is asked about, link 2 for the next. [Chain] checks them.
//
// # The first format, byte for byte
//
// GameCreated has no dice_format. The commitment is the same; a die depends on its record:
//
//	key        = SHA-256( field("warledger/dice/1/key") ‖ field(secret) ‖ uint32(n)
//	                      ‖ field(seat 1) ‖ field(entropy 1) ‖ … ‖ field(seat n) ‖ field(entropy n) )
//
//	block      = HMAC-SHA-256( key,
//	                      field("warledger/dice/1/roll") ‖ field(game) ‖ uint64(version) ‖ uint32(index)
//	                      ‖ uint32(attempt) )
//
// Seats that gave entropy are sorted by the bytes of their names; a seat that gave none is left out. version is the
// number of the roll's record, index the number of the roll in that record, from 0. So whoever knew the secret could
// change a roll at will, with an undo and a redo or with the entropy of the seat that sat down last.
package dice
