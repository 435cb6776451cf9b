import type { WitnessKey } from '@waybill/witness/witness-key';
import { noteText } from '../src/domain/checkpoints/signed-note.ts';
import { leafText } from '../src/domain/records/leaf-text.ts';
import { emptyRange, extendRange, rootOf } from '../src/domain/tree/compact-range.ts';
import { leafHash } from '../src/domain/tree/tree-hash.ts';
import { exportOf, type WrittenLog } from './written-log.ts';

/** The lines of an export, in whose end witnesses have cosigned checkpoints of the log. */
export function cosignedExport(
  log: WrittenLog,
  cosigned: readonly { readonly index: number; readonly by: readonly WitnessKey[] }[],
): string[] {
  const leaves = log.records.map((record) => leafHash(leafText(record)));
  const lines = exportOf(log);
  const end: unknown = JSON.parse(lines.at(-1) ?? '');
  const notes = cosigned.map(({ index, by }) => {
    const note = log.checkpoints[index] ?? '';
    const proof = prove(Number(note.split('\n')[1]), leaves, true).map((hash) => hash.toString('base64'));
    const cosignatures = by.map((witness) => witness.cosign(noteText(note) ?? '', new Date()));
    return { checkpoint: note + cosignatures.join(''), proof };
  });
  return [...lines.slice(0, -1), JSON.stringify({ ...(end as object), cosigned: notes })];
}

/** The consistency proof by its recursive definition (RFC 6962 section 2.1.2). */
function prove(from: number, hashes: readonly Buffer[], isWhole: boolean): Buffer[] {
  if (from === hashes.length) return isWhole ? [] : [rootOfLeaves(hashes)];
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return from <= split
    ? [...prove(from, hashes.slice(0, split), isWhole), rootOfLeaves(hashes.slice(split))]
    : [...prove(from - split, hashes.slice(split), false), rootOfLeaves(hashes.slice(0, split))];
}

function rootOfLeaves(hashes: readonly Buffer[]): Buffer {
  return rootOf(extendRange(emptyRange, hashes).range);
}
