import type { Board, Piece } from "@warledger/client/proto/board/v1/board";
import { stored } from "../wallet";

/** Whether colours that everyone can tell apart take the place of the ruleset's. */
export const safeColors = stored("safe-colors", false);

// Okabe and Ito's colours, which people with any kind of colour vision can tell apart, the darker ones first, the blue
// of the sea last, and a grey in place of their black.
const SAFE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#f0e442", "#4d4d4d", "#e69f00", "#56b4e9"];

/** Palette gives seats and pieces their colours and emblems. */
export class Palette {
  private readonly seats = new Map<string, string>();
  private readonly emblems = new Map<string, string>();
  private readonly others = new Map<string, string>();

  constructor(board: Board, safe: boolean) {
    board.seats.forEach((s, i) => {
      this.seats.set(s.id, safe ? SAFE[i % SAFE.length]! : s.color || "#8a8578");
      this.others.set(s.color, this.seats.get(s.id)!);
      this.emblems.set(s.id, emblem(s.name, board.seats.map((o) => o.name)));
    });
    // A power that is no seat is to be told from the seats as well.
    for (const { color } of safe ? board.pieces : [])
      if (color && !this.others.has(color)) this.others.set(color, SAFE[this.others.size % SAFE.length]!);
  }

  seat(id: string): string {
    return this.seats.get(id) ?? "#cfc8b4";
  }

  /** sign is the colour of a mark or feature: a seat's own if the legend gives it that of a seat. */
  sign(color: string | undefined): string | undefined {
    return color ? (this.others.get(color) ?? color) : undefined;
  }

  piece(p: Piece): string {
    // A power that is no seat keeps the ruleset's colour, unless it is to be seen by all eyes.
    return p.color ? (this.others.get(p.color) ?? p.color) : this.seat(p.owner);
  }

  emblem(id: string): string {
    return this.emblems.get(id) ?? "";
  }
}

/**
 * emblem is the shortest beginning of a name's words that no other seat's name has, so that colour is never the only
 * sign.
 */
function emblem(name: string, all: string[]): string {
  const initials = (n: string) => n.split(/\s+/).map((w) => w[0] ?? "").join("");
  const words = name.split(/\s+/).length;
  if (words > 1 && all.filter((o) => initials(o) === initials(name)).length === 1) return initials(name);
  for (let n = 1; n < name.length; n++) {
    if (all.filter((o) => o.startsWith(name.slice(0, n))).length === 1) return name.slice(0, n);
  }
  return name;
}

const inks = new Map<string, string>();

/** inkOn is black or white, whichever is read better on a colour. */
export function inkOn(color: string): string {
  let ink = inks.get(color);
  if (!ink) {
    const n = parseInt(color.slice(1), 16);
    const linear = (v: number) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const light = 0.2126 * linear((n >> 16) & 255) + 0.7152 * linear((n >> 8) & 255) + 0.0722 * linear(n & 255);
    ink = light > 0.2 ? "#17150f" : "#ffffff";
    inks.set(color, ink);
  }
  return ink;
}
