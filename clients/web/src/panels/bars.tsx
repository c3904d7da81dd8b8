import type { ForecastChance } from "@warledger/client/proto/v1/preview";
import { t } from "../words";

/** Bars are chances as lengths, the rest of them last. */
export function Bars({ rows, others }:
  { rows: [string, ForecastChance | undefined][]; others?: ForecastChance | undefined }) {
  const all = others && others.value > 0 ? [...rows, [t("others"), others] as [string, ForecastChance]] : rows;
  return (
    <table class="bars">
      <tbody>
        {all.map(([label, c], i) => (
          <tr key={i}>
            <th scope="row">{label}</th>
            <td class="bar-cell" aria-hidden="true">
              <span class="fill" style={{ width: `${(c?.value ?? 0) * 100}%` }} />
              {c?.low !== undefined && c.high !== undefined
                && <span class="range" style={{ left: `${c.low * 100}%`, width: `${(c.high - c.low) * 100}%` }} />}
            </td>
            <td class="percent" title={c?.fraction}>{((c?.value ?? 0) * 100).toFixed(1)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
