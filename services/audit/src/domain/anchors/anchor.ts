import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { Cosignature } from '../checkpoints/cosignature.ts';
import type { SignedState } from '../log/checkpoint-memory.ts';

/** The last checkpoint of the log. */
export interface AnchoredHead {
  readonly checkpoint: Checkpoint;
  /** The checkpoint as a signed note. */
  readonly note: string;
}

/** What an anchor remembers. */
export interface AnchoredState extends SignedState {
  /** Why it cannot be compared: the anchor has something else than a checkpoint. */
  readonly fault?: string;
  /** A witness that has this checkpoint cosigns it when it is asked. */
  readonly cosignature?: Cosignature;
}

/** An anchor and what it remembers. */
export interface NamedState {
  readonly name: string;
  readonly state: AnchoredState;
}

/** The outcome of storing a checkpoint: a witness cosigns it, or finds that it contradicts what it has cosigned. */
export type StoreOutcome = Cosignature | 'contradicted' | undefined;

/** A place outside of the platform that remembers checkpoints. All calls reject if it cannot be reached. */
export interface Anchor {
  /** Unique, and without secrets: it is in metrics, logs and records. */
  readonly name: string;
  /** What it remembers; `undefined` if that is nothing. A witness is asked about `head`. */
  read(head: AnchoredHead | undefined, signal: AbortSignal): Promise<AnchoredState | undefined>;
  /** Stores the checkpoint in place of `from`. `proof` shows that it continues `from`; only witnesses verify it. */
  store(
    head: AnchoredHead,
    change: { readonly from: AnchoredState | undefined; readonly proof: readonly Buffer[] },
    signal: AbortSignal,
  ): Promise<StoreOutcome>;
}

/** An operator's decision to continue although anchors remember another state. */
export interface AcceptedAnchors {
  readonly user: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly acceptedAt: string;
  /** What the anchors remembered at that time: the decision applies to it and to nothing else. */
  readonly states: readonly { readonly anchor: string; readonly state: SignedState }[];
}

/** True if the decision applies to this state of the anchor. */
export function isAccepted(accepted: AcceptedAnchors | undefined, anchor: string, found: SignedState): boolean {
  return (accepted?.states ?? []).some(
    ({ anchor: name, state: { origin, size, root } }) =>
      name === anchor &&
      size === found.size &&
      // A witness tells the size only.
      (root === undefined || found.root === undefined || (origin === found.origin && root.equals(found.root))),
  );
}
