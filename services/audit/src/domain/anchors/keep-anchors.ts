import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { AnchoredStates } from '../log/checkpoint-memory.ts';
import type { HashSource } from '../tree/tree-proofs.ts';
import { type AcceptedAnchors, isAccepted, type NamedState } from './anchor.ts';
import { conflictOf } from './exchange-checkpoint.ts';
import type { KeptAnchor } from './keep-anchor.ts';

/** All anchors of the log. */
export interface KeptAnchors extends AnchoredStates, AsyncDisposable {
  /**
   * Reads all anchors at the same time. One that cannot be read is reported, and is compared when it can be.
   * @throws Error with a sentence if it is required that all can be read
   */
  look(): Promise<void>;
  /**
   * What the anchors remember now, or remembered last if they cannot be read; without what an operator has accepted. A log
   * that is read later must continue it.
   */
  read(): Promise<NamedState[]>;
  start(): void;
  wake(): void;
}

/** Keeps anchors. */
export function keepAnchors(
  anchors: readonly KeptAnchor[],
  options: {
    readonly areRequired: boolean;
    readAccepted(): Promise<AcceptedAnchors | undefined>;
    notRead(anchor: string, error: unknown): void;
  },
): KeptAnchors {
  const { areRequired, readAccepted, notRead } = options;
  return {
    get contradiction() {
      return anchors.find(({ contradiction }) => contradiction !== undefined)?.contradiction;
    },
    compare: (stored, hashes) => compareAll(anchors, { stored, hashes, accepted: readAccepted }),
    look: async () => {
      const looks = await Promise.allSettled(anchors.map((anchor) => anchor.look()));
      for (const [index, look] of looks.entries()) {
        const name = anchors[index]?.name ?? '';
        if (look.status === 'fulfilled') continue;
        if (areRequired) throw new Error(`The anchor ${name} of the audit log cannot be read`, { cause: look.reason });
        notRead(name, look.reason);
      }
    },
    read: async () => {
      await Promise.allSettled(anchors.map((anchor) => anchor.look()));
      const accepted = await readAccepted();
      return anchors.flatMap(({ name, found }) =>
        found && !isAccepted(accepted, name, found) ? [{ name, state: found }] : [],
      );
    },
    start: () => {
      for (const anchor of anchors) anchor.start();
    },
    wake: () => {
      for (const anchor of anchors) anchor.wake();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(anchors.map((anchor) => anchor[Symbol.asyncDispose]()));
    },
  };
}

async function compareAll(
  anchors: readonly KeptAnchor[],
  context: {
    readonly stored: Checkpoint | undefined;
    readonly hashes: HashSource;
    accepted(): Promise<AcceptedAnchors | undefined>;
  },
): Promise<string | undefined> {
  const { stored, hashes } = context;
  for (const { name, found } of anchors) {
    const conflict = found && (await conflictOf(name, found, { head: stored && { checkpoint: stored }, hashes }));
    if (conflict !== undefined && !isAccepted(await context.accepted(), name, found ?? nothing)) return conflict;
  }
  return undefined;
}

const nothing = { origin: '', size: 0, root: undefined };
