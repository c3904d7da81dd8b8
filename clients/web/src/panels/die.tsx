// Where the pips of a six-sided die lie.
const PIPS: Record<number, [number, number][]> = {
  1: [[50, 50]], 2: [[28, 28], [72, 72]], 3: [[26, 26], [50, 50], [74, 74]],
    4: [[28, 28], [72, 28], [28, 72], [72, 72]],
  5: [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]],
    6: [[28, 24], [72, 24], [28, 50], [72, 50], [28, 76], [72, 76]],
};

/** Die is a die as it fell: six-sided ones with pips, others with their number. */
export function Die({ sides, value, reason }: { sides: number; value: number; reason: string }) {
  const label = `d${sides}: ${value}${reason ? ` (${reason})` : ""}`;
  return (
    <svg class="die" viewBox="0 0 100 100" role="img" aria-label={label}>
      <title>{label}</title>
      {sides === 6 ? <rect x="4" y="4" width="92" height="92" rx="18" /> : <path d="M50 3 96 38 79 95H21L4 38Z" />}
      {sides === 6 ? PIPS[value]?.map(([x, y], i) => <circle key={i} cx={x} cy={y} r="10" />)
        : <text x="50" y="70" font-size="46" text-anchor="middle">{value}</text>}
    </svg>
  );
}
