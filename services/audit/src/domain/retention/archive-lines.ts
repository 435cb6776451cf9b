import type { ProducerNumbers } from '../records/producer-numbers.ts';
import type { CompactRange } from '../tree/compact-range.ts';

/** What a log was before the first record that is stored: those before are in archives. */
export interface ArchivedStart {
  /** The tree of the archived records; its size is their number. */
  readonly range: CompactRange;
  /** The id of the last one. */
  readonly lastId: string;
  /** Its hash, if it is of the former hash chain. */
  readonly lastChainHash: string | null;
  /** The numbers that they have of their producers; `null` if that is unknown. */
  readonly producers: readonly ProducerNumbers[] | null;
}

/** The first line of an export that does not begin with record 1: what is needed to continue the tree. */
export function startLine({ range, lastId, lastChainHash, producers }: ArchivedStart): string {
  const nodes = range.nodes.map((node) => node.toString('base64'));
  return JSON.stringify({
    archived: {
      ...(lastChainHash !== null && { lastChainHash }),
      lastId,
      nodes,
      ...(producers !== null && { producers }),
      records: range.size,
    },
  });
}
