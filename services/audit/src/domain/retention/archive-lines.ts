import type { CompactRange } from '../tree/compact-range.ts';

/** What a log was before the first record that is stored: those before are in archives. */
export interface ArchivedStart {
  /** The tree of the archived records; its size is their number. */
  readonly range: CompactRange;
  /** The id of the last one. */
  readonly lastId: string;
  /** Its hash, if it is of the former hash chain. */
  readonly lastChainHash: string | null;
}

/** The first line of an export that does not begin with record 1: what is needed to continue the tree. */
export function startLine({ range, lastId, lastChainHash }: ArchivedStart): string {
  const nodes = range.nodes.map((node) => node.toString('base64'));
  return JSON.stringify({
    archived: { ...(lastChainHash !== null && { lastChainHash }), lastId, nodes, records: range.size },
  });
}
