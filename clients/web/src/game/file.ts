import type { ImportGameResponse } from "@warledger/client/proto/v1/history_service";
import { client } from "../wire";

/**
 * exportGame fetches a game as a file: what this browser's seats may see of it while it runs, all of it once it is
 * over.
 */
export async function exportGame(name: string): Promise<Blob> {
  const parts: BlobPart[] = [];
  for await (const part of client.game(name).export()) parts.push(part as BlobPart);
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

/** importGame sends a file in parts; onProgress hears which share of it has been sent. */
export function importGame(file: Blob, onProgress: (share: number) => void): Promise<ImportGameResponse> {
  return client.import(file, onProgress);
}
