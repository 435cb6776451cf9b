import type { Cosignature } from '../checkpoints/cosignature.ts';
import { findContradiction } from '../log/checkpoint-memory.ts';
import { type HashSource, proveConsistency } from '../tree/tree-proofs.ts';
import { type AcceptedAnchors, type Anchor, type AnchoredHead, type AnchoredState, isAccepted } from './anchor.ts';

/** The log as it is stored, for its anchors. */
export interface AnchoredLog {
  /** The verified last checkpoint, with what other processes have appended. @throws Error if no trusted key signed it */
  readHead(): Promise<AnchoredHead | undefined>;
  readonly hashes: HashSource;
  keepCosignature(cosignature: Cosignature): Promise<void>;
}

/** What an exchange needs besides the anchor. */
export interface ExchangeParts {
  readonly log: AnchoredLog;
  readAccepted(): Promise<AcceptedAnchors | undefined>;
  /** The log contradicts what the anchor remembers, which an operator has accepted. */
  onAccepted(accepted: AcceptedAnchors, found: AnchoredState, head: AnchoredHead): Promise<void>;
  /** Ends a request that takes too long. */
  signal(): AbortSignal;
}

/** The state of an anchor after an exchange. */
export interface Exchange {
  readonly found: AnchoredState | undefined;
  /** Why the log does not continue it: nothing was stored. */
  readonly contradiction?: string | undefined;
}

/** Reads an anchor, compares it with the log, and stores the last checkpoint in it. @throws Error if it fails */
export async function exchangeCheckpoint(anchor: Anchor, parts: ExchangeParts): Promise<Exchange> {
  const { log, signal } = parts;
  const { hashes } = log;
  const before = await log.readHead();
  const found = await anchor.read(before, signal());
  // What another process has stored in the anchor meanwhile is in the database by now.
  const head = found && found.size > (before?.checkpoint.size ?? 0) ? await log.readHead() : before;
  const conflict = found && (await conflictOf(anchor.name, found, { head, hashes }));
  if (found && conflict !== undefined) return settle(anchor, { found, conflict, head }, parts);
  if (!head) return { found };
  if (found && isSame(found, head)) {
    if (found.cosignature) await log.keepCosignature(found.cosignature);
    return { found };
  }
  const proof = found ? await proveConsistency(hashes, found.size, head.checkpoint.size) : [];
  const outcome = await anchor.store(head, { from: found, proof }, signal());
  if (outcome === 'contradicted') {
    const state = found ?? { origin: head.checkpoint.origin, size: 0, root: undefined };
    const refused = await conflictOf(anchor.name, { ...state, root: noRoot }, { head, hashes });
    return settle(anchor, { found: state, conflict: refused ?? `${anchor.name} refuses the log`, head }, parts);
  }
  if (outcome) await log.keepCosignature(outcome);
  return { found: head.checkpoint };
}

/** No tree has this root: a state with it contradicts every log. */
const noRoot = Buffer.alloc(0);

/** Why the log does not continue what an anchor remembers; `undefined` if it does. */
export async function conflictOf(
  place: string,
  state: AnchoredState,
  { head, hashes }: { head: Pick<AnchoredHead, 'checkpoint'> | undefined; hashes: HashSource },
): Promise<string | undefined> {
  if (state.fault !== undefined) return `${place} ${state.fault}`;
  return findContradiction(state, head?.checkpoint, { hashes, place });
}

async function settle(
  anchor: Anchor,
  { found, conflict, head }: { found: AnchoredState; conflict: string; head: AnchoredHead | undefined },
  parts: ExchangeParts,
): Promise<Exchange> {
  const accepted = await parts.readAccepted();
  if (!accepted || !isAccepted(accepted, anchor.name, found)) {
    // Garbage at a place that held a good checkpoint is a failure of that place; at the start it is refused.
    if (found.fault !== undefined) throw new Error(conflict);
    return { found, contradiction: conflict };
  }
  if (!head) return { found: undefined };
  await parts.onAccepted(accepted, found, head);
  await anchor.store(head, { from: undefined, proof: [] }, parts.signal());
  return { found: head.checkpoint };
}

function isSame({ size, root }: AnchoredState, { checkpoint }: AnchoredHead): boolean {
  return size === checkpoint.size && root?.equals(checkpoint.root) === true;
}
