import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { linkTo, route, stay } from "../route";
import { keepSeat, open, read } from "../wallet";
import { again, as, games, refusal } from "../wire";
import { t } from "../words";
import { fits, KINDS } from "./carry";
import "./words";

type Kind = keyof typeof KINDS;

/** Refusals that mean that a token does not open what the link says. */
const NOTHING = ["TOKEN_UNKNOWN", "TOKEN_REVOKED", "TOKEN_EXPIRED", "TOKEN_MALFORMED", "TOKEN_TOO_NARROW",
  "NOT_YOUR_SEAT", "SEAT_NOT_FOUND", "GAME_NOT_FOUND", "VALIDATION_FAILED"];

/**
 * opens asks the server whether a token opens what the link says. The prefix of a token says what it is for; the server
 * says whether the game knows it, and for which seat. An invitation does not show its seat.
 */
async function opens(game: string, what: Kind, seat: string, token: string): Promise<boolean> {
  if (!fits(what, token)) return false;
  const only = as(game, {}, [token]);
  try {
    if (what === "owner" || what === "invited") await again(() => games.getGame({ name: game }, only));
    else await again(() => games.listLegalActions({ name: game, seat, pageSize: 1 }, only));
    return true;
  } catch (thrown) {
    if (NOTHING.includes(refusal(thrown).reason)) return false;
    throw thrown;
  }
}

function heldOf(game: string, what: Kind, seat: string): string | undefined {
  const h = read()[game];
  return { owner: h?.owner, seat: h?.seats[seat], see: h?.sees?.[seat], invited: h?.invitations?.[seat] }[what];
}

// The seat's own token, or the owner's, does more than one that was made from it and expires. A token of a new kind
// goes before one of the old kind, which does not say what it is for.
function wider(token: string, held: string): boolean {
  const own = (x: string) => (/^wl_[so]/.test(x) ? 2 : x.startsWith("wl_g") ? 0 : 1);
  return own(token) > own(held);
}

/** keepSight keeps a token that sees what a seat sees. */
function keepSight(game: string, seat: string, token: string): void {
  open(game, (h) => {
    h.sees = { ...h.sees, [seat]: token };
  });
}

/** keepPart keeps a token that does what the owner may do. */
function keepPart(game: string, token: string): void {
  open(game, (h) => {
    h.owner = token;
  });
}

/**
 * keepInvitation keeps an invitation that a link brought, until the seat is taken. Other tokens are no invitations:
 * whoever made one could take the seat away with it.
 */
function keepInvitation(game: string, seat: string, token: string): void {
  open(game, (h) => {
    h.invitations = { ...h.invitations, [seat]: token };
  });
}

/**
 * take keeps the token of a link, and reports whether the link opens something. One that does not changes nothing. What
 * is held stays as long as it opens, unless the link's token does more: anybody may have sent the link.
 */
async function take(game: string, what: Kind, seat: string, token: string): Promise<boolean> {
  const held = heldOf(game, what, seat);
  if (held === token) return true;
  if (!(await opens(game, what, seat, token))) return false;
  // An invitation does not say for which seat it is. One that turns out to be useless is dropped when it is used.
  const stays = held && (what === "invited" || !wider(token, held)) && (await opens(game, what, seat, held));
  if (heldOf(game, what, seat) !== held) return take(game, what, seat, token); // another link or tab was quicker
  if (stays) return true;
  if (what === "seat") keepSeat(game, seat, token);
  else if (what === "see") keepSight(game, seat, token);
  else if (what === "owner") keepPart(game, token);
  else keepInvitation(game, seat, token);
  return true;
}

/** Brought takes in the token that a link brings, once the server has said that it opens something. */
export function Brought({ game, what, seat, token }: { game: string; what: string; seat: string; token: string }) {
  const fault = useSignal(""), id = game.replace("games/", ""), way = what === "invited" ? ["join"] : [];
  useEffect(() => {
    let asked = 0;
    const ask = () => {
      const turn = ++asked;
      fault.value = "";
      const known = what in KINDS ? take(game, what as Kind, seat, token) : Promise.resolve(false);
      void known.then((well) => {
        if (turn !== asked) return;
        if (well) stay("games", id, ...way);
        else {
          fault.value = t("linkVoid");
          history.replaceState(null, "", linkTo("games", id)); // tokens do not stay in the address
        }
      }, (thrown) => (fault.value = refusal(thrown).reason ? refusal(thrown).message : t("unreachable")));
    };
    // The same link may be opened once more: the page's place is the same, and so nothing else tells.
    const once = () => route.peek().join("/") === ["games", id, what, seat, token].join("/") && ask();
    ask();
    addEventListener("hashchange", once);
    return () => {
      asked = -1;
      removeEventListener("hashchange", once);
    };
  }, []);
  return fault.value ? (
    <main id="main" class="gone"><div class="trouble" id="brought" role="alert"><p>{fault.value}</p>
      <button onClick={() => stay("games", id, ...way)}>{t("linkToGame")}</button></div></main>
  ) : <p role="status">{t("loading")}</p>;
}
