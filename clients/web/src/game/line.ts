import type { Record as GameRecord } from "@warledger/client/proto/v1/game_service";
import { RecordKind } from "@warledger/client/proto/log/v1/log";

/** isPlace says whether a record is a place of the tree: what undo takes back and the scrubber stops at. */
export function isPlace(r: GameRecord): boolean {
  return r.kind === RecordKind.CREATED || r.kind === RecordKind.COMMAND;
}

/** lineTo lists the places from the first record to a version. */
export function lineTo(records: Map<bigint, GameRecord>, version: bigint): bigint[] {
  const line: bigint[] = [];
  for (let r = records.get(version); r; r = records.get(r.parent)) {
    line.push(r.version);
    if (r.parent === r.version) break;
  }
  return line.reverse();
}

/** tips are the ends of the branches that the head has left, newest first. */
export function tips(records: Map<bigint, GameRecord>, head: bigint): bigint[] {
  const kept = new Set(lineTo(records, head));
  const parents = new Set<bigint>();
  for (const r of records.values()) if (isPlace(r)) parents.add(r.parent);
  return [...records.values()].filter((r) => isPlace(r) && !parents.has(r.version) && !kept.has(r.version))
    .map((r) => r.version).reverse();
}

/** redoable says whether a redo has somewhere to go: an undo since the last command that no redo has taken back. */
export function redoable(records: Iterable<GameRecord>): boolean {
  let left = 0;
  for (const r of records) {
    if (r.kind === RecordKind.COMMAND) left = 0;
    else if (r.kind === RecordKind.UNDO) left++;
    else if (r.kind === RecordKind.REDO) left = Math.max(0, left - 1);
  }
  return left > 0;
}
