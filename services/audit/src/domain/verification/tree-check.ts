import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { ArchivedStart } from '../retention/archive-lines.ts';
import { type CompactRange, emptyRange, extendRange, rootOf, type TreeNode } from '../tree/compact-range.ts';
import type { HashSource } from '../tree/tree-proofs.ts';
import type { Findings } from './findings.ts';

/** Builds the tree of the records, and compares it with what was signed and stored. */
export interface TreeCheck {
  take(leafHashes: readonly Buffer[]): Promise<void>;
  /** After the last record: compares the tree with the checkpoint of the log and its nodes. */
  end(checkpoint: Checkpoint | undefined, signed: CompactRange | undefined): void;
}

/** Starts with the tree of the archived records. `remembered` is a checkpoint that must be one of an earlier state of the same log. */
export function createTreeCheck(options: {
  hashes: HashSource;
  findings: Findings;
  remembered: Checkpoint | undefined;
  start: ArchivedStart | undefined;
}): TreeCheck {
  const { hashes, findings, remembered, start } = options;
  let range = start?.range ?? emptyRange;

  const compareNodes = async (completed: readonly TreeNode[]): Promise<void> => {
    if (completed.length === 0) return;
    // If one node is missing, the others are compared one by one.
    const all = await hashes.read(completed).catch(() => undefined);
    for (const [index, node] of completed.entries()) {
      const { level, number, hash } = node;
      const stored = all ? all[index] : (await hashes.read([node]).catch(() => []))[0];
      const [first, last] = [number * 2 ** level + 1, (number + 1) * 2 ** level];
      if (stored?.equals(hash) !== true)
        findings.add('records_mismatch', first, `Records ${first} to ${last} are not those that the tree was built of`);
    }
  };

  const compareRemembered = (leafHashes: readonly Buffer[]): void => {
    if (!remembered || remembered.size <= range.size || remembered.size > range.size + leafHashes.length) return;
    const upTo = extendRange(range, leafHashes.slice(0, remembered.size - range.size)).range;
    if (rootOf(upTo).equals(remembered.root)) return;
    const message = `Records 1 to ${remembered.size} are not those of the checkpoint that the service remembers`;
    findings.add('log_forked', remembered.size, message);
  };

  return {
    take: async (leafHashes) => {
      compareRemembered(leafHashes);
      const extended = extendRange(range, leafHashes);
      await compareNodes(extended.completed);
      range = extended.range;
    },
    end: (checkpoint, signed) => {
      if (remembered && remembered.size > 0) checkAgainst(remembered, checkpoint, findings);
      if (!checkpoint) return;
      if (range.size < checkpoint.size) {
        const message = `The records end at ${range.size}, the checkpoint says ${checkpoint.size}`;
        findings.add('tail_missing', range.size + 1, message);
      } else if (range.size > checkpoint.size) {
        const message = `Records ${checkpoint.size + 1} to ${range.size} are not known to the checkpoint`;
        findings.add('tail_unknown', checkpoint.size + 1, message);
      } else if (!rootOf(range).equals(checkpoint.root)) {
        const [first, last] = differingLeaves(range, signed);
        findings.add('records_mismatch', first, `Records ${first} to ${last} are not those that were signed`);
      }
    },
  };
}

function checkAgainst(remembered: Checkpoint, checkpoint: Checkpoint | undefined, findings: Findings): void {
  if (checkpoint && checkpoint.origin !== remembered.origin) {
    const message = `The log is ${checkpoint.origin}, the service remembers ${remembered.size} records of ${remembered.origin}`;
    findings.add('log_replaced', remembered.size, message);
  } else if ((checkpoint?.size ?? 0) < remembered.size) {
    const message = `The checkpoint says ${checkpoint?.size ?? 0} records, the service remembers ${remembered.size}`;
    findings.add('log_set_back', (checkpoint?.size ?? 0) + 1, message);
  }
}

/** The first and the last record of the first perfect subtree that is not the signed one. */
function differingLeaves(range: CompactRange, signed: CompactRange | undefined): [first: number, last: number] {
  let first = 1;
  for (const [index, width] of widthsOf(range.size).entries()) {
    const [one, other] = [range.nodes[index], signed?.nodes[index]];
    if (signed && one && other && !one.equals(other)) return [first, first + width - 1];
    if (signed) first += width;
  }
  return [1, range.size];
}

function widthsOf(size: number): number[] {
  const widths: number[] = [];
  for (let rest = size; rest > 0; rest -= widths.at(-1) ?? rest) widths.push(2 ** Math.floor(Math.log2(rest)));
  return widths;
}
