import { fromBinary } from "@bufbuild/protobuf";
import { LeafKind, RecordHeaderSchema, RecordKind, TableEventSchema, type Leaf, type Record as Proof, type RecordHeader,
  type TableEvent } from "./gen/warledger/log/v1/log_pb.js";
import { field, hex, join, sha256, u32 } from "./bytes.js";

/** Proved is a record whose hash is that of its contents. */
export interface Proved {
  header: RecordHeader;
  prev: string;
  hash: string;
  leaves: Leaf[];
}

/**
 * prove reads the proof of a record and computes its hash (docs/reference/log-format.md); null where they do not fit,
 * the proof is missing, or it hides what everyone may see: a chain could be replaced behind a digest.
 */
export function prove(proof: Proof | undefined): Proved | null {
  if (!proof || proof.prevHash.length !== 32 || proof.hash.length !== 32) return null;
  const leaves: Uint8Array[] = [];
  for (const l of proof.leaves) {
    const digest = l.payload
      ? sha256(join(field("warledger/log/1/leaf"), field(l.salt), field(l.payload.type), u32(l.payload.schema),
        field(l.payload.data)))
      : l.digest;
    if (digest.length !== 32) return null;
    leaves.push(join(u32(l.kind), u32(l.audience), digest));
  }
  const hash =
    hex(sha256(join(field("warledger/log/1/record"), proof.prevHash, sha256(proof.header), u32(leaves.length),
    ...leaves)));
  if (hash !== hex(proof.hash)) return null;
  try {
    const header = fromBinary(RecordHeaderSchema, proof.header);
    return shown(header, proof.leaves) ? { header, prev: hex(proof.prevHash), hash, leaves: proof.leaves } : null;
  } catch {
    return null;
  }
}

// shown tells whether all is shown that everyone may see. Nor may a change of the table, or what a record asks for, be
// for some viewers only.
function shown(header: RecordHeader, leaves: Leaf[]): boolean {
  const open = header.kind === RecordKind.TABLE || header.kind === RecordKind.ASK;
  return leaves.every((l) => (l.audience === 0 ? l.payload !== undefined : !open || l.kind !== LeafKind.EVENT));
}

/** tableEvents are the changes of the table among the leaves that are shown. */
export function tableEvents(leaves: Leaf[]): TableEvent[] {
  return leaves.flatMap((l) => (l.payload?.type === TableEventSchema.typeName
    ? [fromBinary(TableEventSchema, l.payload.data)] : []));
}
