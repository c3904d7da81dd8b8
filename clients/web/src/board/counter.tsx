import { memo } from "preact/compat";
import type { Piece } from "@warledger/client/proto/board/v1/board";
import type { Atlas } from "./atlas";
import { inkOn } from "./color";
import { symbolOf } from "./symbol";

/** What a counter is doing for whoever looks. */
export interface CounterState {
  selected?: boolean;
  /** It can act. */
  open?: boolean;
  /** The game asks about it. */
  asked?: boolean;
  /** It came here with the last record. */
  moved?: boolean;
}

interface Props extends CounterState {
  piece: Piece;
  atlas: Atlas;
  color: string;
  emblem: string;
}

/**
 * Counter is a piece in a box of 100 by 100: a symbol of its kind with its numbers, or a silhouette, or its short name.
 */
export const Counter = memo(function Counter({ piece, atlas, color, emblem, selected, open, asked, moved }: Props) {
  const ink = inkOn(color);
  const shape = atlas.shapes.get("kind " + piece.kind);
  const symbol = piece.symbol ? symbolOf(piece.symbol) : "";
  const reduced = piece.maxSteps > 0 && piece.steps < piece.maxSteps;
  return (
    <>
      <rect x="4" y="6" width="99" height="98" rx="6" fill="#000" opacity="0.3" />
      <rect width="100" height="100" rx="6" fill={color} stroke="#1c1a16" stroke-width="2.500" />
      <path class="bevel" d="M3.500 95V6q0-2.500 2.500-2.500H95" fill="none" stroke="#fff" stroke-opacity="0.45"
        stroke-width="3" />
      <path class="bevel" d="M96.500 5V94q0 2.500-2.500 2.500H5" fill="none" stroke="#000" stroke-opacity="0.32"
        stroke-width="3" />
      {reduced && <path d="M0 30 30 0H58L0 58Z" fill={ink} opacity="0.16" />}
      {symbol ? <Symbol piece={piece} url={symbol} ink={ink} /> : shape
        ? <Silhouette piece={piece} shape={shape} ink={ink} /> : <Plain piece={piece} ink={ink} />}
      <text class="emblem" x="7" y="19" font-size="15" fill={ink}>{emblem}</text>
      <Steps piece={piece} ink={ink} />
      <Marks piece={piece} atlas={atlas} />
      {piece.count > 1 && (
        <g>
          <circle cx="84" cy="84" r="21" fill="#fffdf5" stroke="#1c1a16" stroke-width="3" />
          <text x="84" y="94" font-size="29" font-weight="700" text-anchor="middle" fill="#1c1a16">{piece.count}</text>
        </g>
      )}
      {moved && <rect x="-5" y="-5" width="110" height="110" rx="13" fill="none" stroke="#fff" stroke-width="5"
        stroke-dasharray="6 9" />}
      {(open || asked) && !selected
        && <rect class={open ? "can-act" : "is-asked"} x="-5" y="-5" width="110" height="110" rx="13" />}
      {selected && <rect class="is-selected" x="-7" y="-7" width="114" height="114" rx="14" />}
    </>
  );
});

/** numbersOf are the figures that a counter has room for. */
export function numbersOf(piece: Piece): string {
  return piece.numbers.slice(0, 4).filter((n) => n.value.length <= 4).slice(0, 3).map((n) => n.value).join("-");
}

function Symbol({ piece, url, ink }: { piece: Piece; url: string; ink: string }) {
  const numbers = numbersOf(piece);
  return (
    <>
      <image href={url} x="18" y="14" width="64" height={numbers ? 50 : 60} preserveAspectRatio="xMidYMid meet" />
      <text x="94" y="19"
        font-size={piece.shortName.length > 4 ? 14 : 18} font-weight="700" text-anchor="end" fill={ink}>
        {piece.shortName}</text>
      <text x="50" y="92" font-size={numbers.length > 7 ? 19 : numbers.length > 5 ? 24 : 30}
        font-weight="800" text-anchor="middle" fill={ink}>
        {numbers}</text>
    </>
  );
}

function Silhouette({ piece, shape, ink }: { piece: Piece; shape: string; ink: string }) {
  return (
    <>
      <g transform="translate(11 15) scale(.78)"><path d={shape} fill={ink} /></g>
      <text x="95" y="18" font-size="15" text-anchor="end" font-weight="600" fill={ink}>
        {piece.shortName.length <= 4 ? piece.shortName : ""}</text>
    </>
  );
}

function Plain({ piece, ink }: { piece: Piece; ink: string }) {
  const n = piece.shortName.length, numbers = numbersOf(piece);
  return (
    <>
      <text x="50" y={numbers ? 54 : 64}
        font-size={n > 4 ? 25 : n > 2 ? 34 : 42} font-weight="700" text-anchor="middle" fill={ink}>{piece.shortName}
        </text>
      <text x="50" y="90" font-size="26" font-weight="700" text-anchor="middle" fill={ink}>{numbers}</text>
    </>
  );
}

function Steps({ piece, ink }: { piece: Piece; ink: string }) {
  if (piece.maxSteps < 2) return null;
  return (
    <>
      {Array.from({ length: Math.min(piece.maxSteps, 8) }, (_, i) => (
        <circle key={i} cx="92" cy={32 + i * 9} r="3.300"
          fill={i < piece.steps ? ink : "none"} stroke={ink} stroke-width="1.500" />
      ))}
    </>
  );
}

function Marks({ piece, atlas }: { piece: Piece; atlas: Atlas }) {
  return (
    <>
      {piece.marks.slice(0, 4).map((m, i) => (
        <g key={m} transform={`translate(0 ${26 + i * 18})`}>
          <rect x="-6" width="26" height="16" rx="5" fill="#1c1a16" stroke="#fff" stroke-width="1.500" />
          <text x="7" y="12.500" font-size="12" font-weight="700" text-anchor="middle" fill="#fff">
            {atlas.glyphs.get("mark " + m) || m.slice(0, 2)}</text>
        </g>
      ))}
    </>
  );
}
