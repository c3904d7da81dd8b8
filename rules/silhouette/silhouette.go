// Package silhouette has silhouettes for boards: what kinds of piece and features of a map look like, for any client
// that draws a picture. Each is SVG path data in a box of 100 by 100, y downwards, filled by the non-zero rule: a hole
// runs the other way round.
package silhouette

// Troops.
const (
	// Infantry is a soldier with a helmet.
	Infantry = "M50 8a17 17 0 0 1 17 17v4h5v6H28v-6h5v-4A17 17 0 0 1 50 8ZM36 38h28v5a14 14 0 0 1-28 0ZM20 92V77a16 " +
		"16 0 0 1 16-16h28a16 16 0 0 1 16 16v15Z"
	// Artillery is a gun on its wheel.
	Artillery = "M28 52 86 16l6 10-44 29ZM26 76 3 90l4 7 30-14ZM38 46a20 20 0 1 1-.1 0Z"
	// Tank is a tank from the side.
	Tank = "M5 62h90l-8 19a8 8 0 0 1-7 4H20a8 8 0 0 1-7-4ZM16 46h66l8 13H8ZM33 29h29l7 15H29ZM62 32h35v6H64Z"
	// AntiAircraft is a twin gun that points at the sky.
	AntiAircraft = "M42 58 66 6l9 4-20 52ZM28 54 50 4l9 4-20 50ZM20 60h56v12H20ZM12 " +
		"93l18-20h36l18 20H72L60 81H36L24 93Z"
)

// Aircraft, from above.
const (
	// Fighter has one engine.
	Fighter = "M50 4c5 0 7 10 7 22l37 20v12L57 51l-2 25 14 10v8l-19-5-19 5v-8l14-10-2-25L6 58V46l37-20C43 14 45 4 50 4Z"
	// Bomber has engines on its wings.
	Bomber = "M50 3c6 0 8 9 8 22v9l12 4v-8h7v11l20 7v11L58 53l-2 26 16 9v8l-22-5-22 5v-8l16-9-2-26L3 " +
		"59V48l20-7V30h7v8l12-4v-9C42 12 44 3 50 3Z"
	// Parachute is what is dropped from one.
	Parachute = "M50 5a40 37 0 0 1 40 37H10A40 37 0 0 1 50 5ZM12 46l32 28h12l32-28h-8L55 68H45L20 46ZM38 77h24v18H38Z"
	// Bomb falls.
	Bomb = "M50 96C35 84 32 60 37 40h26c5 20 2 44-13 56ZM32 6h36l-7 29H39Z"
)

// Ships, from the side.
const (
	// Submarine lies on the surface.
	Submarine = "M3 58c0-8 10-12 22-12h17l3-17h17l2 17h19c10 0 14 6 14 12s-6 15-16 15H20C9 73 3 66 3 58ZM50 15h4v13h-4Z"
	// Transport has masts and holds.
	Transport = "M3 61h94L86 84H14ZM18 44h16v14H18ZM38 44h16v14H38ZM62 27h20v31H62ZM68 15h7v11h-7Z"
	// Destroyer has light guns.
	Destroyer = "M1 62h98L86 80H12ZM39 46h25v13H39ZM47 27h9v18h-9ZM20 53h13v6H20ZM8 " +
		"50h18v3H8ZM70 53h12v6H70ZM76 50h17v3H76Z"
	// Cruiser has two funnels.
	Cruiser = "M0 62h100L87 82H11ZM33 46h34v13H33ZM40 30h10v15H40ZM54 26h8v19h-8ZM44 16h3v13h-3ZM13 52h16v7H13ZM2 " +
		"49h18v3H2ZM71 52h15v7H71ZM79 49h18v3H79Z"
	// Battleship has turrets over turrets.
	Battleship = "M0 62h100L86 86H12ZM31 46h38v13H31ZM37 31h16v14H37ZM57 25h9v20h-9ZM43 13h5v17h-5ZM10 53h18v6H10ZM0 " +
		"49h18v4H0ZM20 43h10v6H20ZM8 40h18v3H8ZM72 53h18v6H72ZM82 49h18v4H82Z"
	// Carrier has a deck and an island.
	Carrier = "M0 50h100v8l-4 4H4L0 58ZM7 65h86L82 83H17ZM60 31h19v17H60ZM66 17h7v13h-7Z"
)

// Places and signs.
const (
	// Factory has a saw-tooth roof and a chimney.
	Factory = "M8 90V47l20 15V47l20 15V47l20 15V14h19v76Z"
	// Village is a house.
	Village = "M50 12 92 50H80v40H20V50H8Z"
	// Town is some houses.
	Town = "M4 92V56L26 36 44 52V92ZM50 92V34L72 12 96 34V92Z"
	// City is a row of tall houses.
	City = "M3 94V46h22V94ZM29 94V8H55V94ZM59 94V28H79V94ZM83 94V56H98V94Z"
	// Wood is a fir.
	Wood = "M50 4 74 40H64L84 72H57V96H43V72H16L36 40H26Z"
	// Crates are stores in the open.
	Crates = "M6 92V54H46V92ZM54 92V54H94V92ZM30 46V10H70V46Z"
	// Hedgehog is a dug-in position.
	Hedgehog = "M42 4h16v30l21-21 11 11-21 21h27v14H69l21 21-11 11-21-21v26H42V70L21 91 10 " +
		"80l21-21H4V45h27L10 24 21 13l21 21Z"
	// Runway lies between two lines of lights.
	Runway = "M38 4H62L82 96H18ZM47 12v16h6V12ZM46 40v18h8V40ZM45 68v20h10V68Z"
	// Truck is a lorry from the side.
	Truck = "M3 26h54v42H3ZM61 38h20l16 17v13H61ZM24 62a13 13 0 1 1-.1 0ZM76 62a13 13 0 1 1-.1 0Z"
	// Star has five points.
	Star = "M50 4 61 38h36L68 59l11 35-29-21-29 21 11-35L3 38h36Z"
	// Capital is a star within a disc.
	Capital = "M50 3a47 47 0 1 1-.1 0ZM50 17 42 41H17l20 15-7 24 20-15 20 15-7-24 20-15H58Z"
	// Mountain has two peaks.
	Mountain = "M3 88 38 20l14 25 12-19 33 62Z"
	// Waves are those of a coast.
	Waves = "M3 46q12-17 24 0t23 0 23 0 24 0v13q-12 17-24 0t-23 0-23 0-24 0Z"
	// Anchor stands for a port.
	Anchor = "M50 4a13 13 0 0 1 6 24v9h15v10H56v33c12-2 21-9 25-19l-10 3 18-19 6 26-6-4C83 85 68 96 50 96S17 85 11 " +
		"67l-6 4 6-26 18 19-10-3c4 10 13 17 25 19V47H29V37h15v-9A13 13 0 0 1 50 4Z"
	// Arrow leads in.
	Arrow = "M37 5h26v45h21L50 95 16 50h21Z"
	// Flag is planted on a beach.
	Flag = "M20 4h9v92h-9ZM32 8l54 19-54 19Z"
	// Letter is a sealed order.
	Letter = "M5 22h90L50 56ZM5 31l45 34 45-34v47H5Z"
)
