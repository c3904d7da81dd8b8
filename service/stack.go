package service

// handlerStack is how much stack a call of this service needs, near enough, in bytes: deciding, encoding and answering go deep.
const handlerStack = 8 << 10

// grow has the goroutine of a call grow its stack at once, while there is little on it. Left alone it would grow by doubling, and each time
// copy and mend all that is on it, deep inside the encoding of messages: that took a tenth of the processor under load. What it gives means nothing; at is a
// number that the compiler does not know, so that it makes the room.
//
//go:noinline
func grow(at int) byte {
	var room [handlerStack]byte
	return room[at%len(room)]
}
