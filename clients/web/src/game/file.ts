import type { ImportGameResponse } from "../gen/warledger/v1/history_service_pb";
import { again, as, games, history, refusal, uuid } from "../wire";

/** Bytes of a file that one call carries. */
const PART = 1 << 20;

/** exportGame fetches a game as a file: what this browser's seats may see of it while it runs, all of it once it is over. */
export async function exportGame(name: string): Promise<Blob> {
  const parts: BlobPart[] = [];
  for await (const { data } of games.exportGame({ name }, as(name, { timeoutMs: 0 }))) parts.push(data as BlobPart);
  return new Blob(parts, { type: "application/octet-stream" });
}

/** save hands a file to the browser for keeping. */
export function save(file: Blob, name: string): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(file);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60_000); // a browser may begin to read it later
}

/** fileName makes a name for a file of a title. */
export function fileName(title: string, end: string): string {
  return (title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "game") + end;
}

/** importGame sends a file in parts, and goes on where the server says that it has come to. */
export async function importGame(file: Blob, told: (share: number) => void): Promise<ImportGameResponse> {
  const requestId = uuid();
  for (let at = 0, gaps = 0; ; ) {
    const data = new Uint8Array(await file.slice(at, at + PART).arrayBuffer()), last = at + data.length >= file.size;
    told(at / Math.max(file.size, 1));
    try {
      const answer = await again(() => history.importGame({ requestId, offset: BigInt(at), data, last }, { timeoutMs: 0 }));
      if (last) return answer;
      at += data.length;
    } catch (thrown) {
      const r = refusal(thrown), received = Number(r.facts["received"]);
      if (r.reason !== "IMPORT_GAP" || !(received >= 0) || ++gaps > 3) throw r;
      at = received;
    }
  }
}
