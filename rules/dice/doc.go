// Package dice gives rulesets their dice, one at a time, from whatever [Source] the game uses:
//
//   - [Committed]: nobody has to trust the server. A hash of its secret is published before the first roll, and
//     once the secret is released anyone can compute every roll again ([Verify]);
//   - [Manual]: the players throw real dice and send what they threw;
//   - [Seeded]: fast repeatable dice for simulations and tests;
//   - [Script]: recorded rolls once more, for an audit;
//   - [Enumerate]: every outcome that a procedure can have, with its exact chance.
//
// A [Recorder] around any of them keeps what was rolled, for the record. No Source is for use by several goroutines at
// once.
//
// # Committed dice, byte for byte
//
// This is all that a program in another language needs to check a game. ‖ joins bytes. field(x) is the length of x as
// 4 bytes, big-endian, ‖ x. uint32(n) and uint64(n) are 4 and 8 bytes, big-endian. Labels and names are UTF-8.
//
//	commitment = SHA-256( field("warledger/dice/1/commitment") ‖ field(secret) )
//
//	key        = SHA-256( field("warledger/dice/1/key") ‖ field(secret) ‖ uint32(n)
//	                      ‖ field(seat 1) ‖ field(entropy 1) ‖ … ‖ field(seat n) ‖ field(entropy n) )
//
//	block      = HMAC-SHA-256( key,
//	                      field("warledger/dice/1/roll") ‖ field(game) ‖ uint64(version) ‖ uint32(index) ‖ uint32(attempt) )
//
// The secret is 32 bytes. Seats that gave entropy are sorted by the bytes of their names; a seat that gave none is left
// out. game is the id of the game, version the number of the record that the roll belongs to, index the number of
// the roll in that record, from 0. Begin with attempt 0.
//
// A die of n sides takes the bytes of the block in order. Bytes of 256 - 256 mod n and above are passed over, for
// they would favour low numbers; the first byte b below that is the die: b mod n + 1. Should all 32 bytes be passed
// over, attempt grows by 1 and a new block is made.
package dice
