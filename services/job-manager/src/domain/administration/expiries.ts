import { createHash } from 'node:crypto';
import type { ActorScope, Principal } from '@waybill/access/principal';
import type { Expiry } from '@waybill/contracts/endpoints/administration/list-expiries';

const dayMs = 86_400_000;
const soonMs = 30 * dayMs;

/** Something that expires; without `expiresAt` it cannot be read. */
export type ExpiringThing = Omit<Expiry, 'expiresAt' | 'state' | 'process'> & {
  readonly expiresAt: Date | undefined;
  /** The process that has reported it. */
  readonly process?: Expiry['process'];
};

/** Reads what expires, in any order. */
export type ReadExpiring = (by: Principal) => Promise<readonly ExpiringThing[]>;

/** Where something stands in the list: its end, its name, and a digest of what else tells it from others. */
export type ExpiryMark = readonly [atMs: number, name: string, digest: string];

/** What is wanted of the list. */
interface WantedExpiries {
  readonly withinDays?: number | undefined;
  readonly actor?: string | undefined;
  /** Only what is behind this. */
  readonly after?: ExpiryMark | undefined;
  readonly limit?: number;
}

/** What expires, as far as the administrator reaches it, the first to expire first, each with its place. */
export type ListExpiries = (
  by: Principal & { readonly actors: ActorScope },
  wanted: WantedExpiries,
  nowMs?: number,
) => Promise<{ readonly expiry: Expiry; readonly mark: ExpiryMark }[]>;

/** Lists what expires. */
export function createListExpiries(read: ReadExpiring): ListExpiries {
  return async (by, { withinDays, actor, after, limit }, nowMs = Date.now()) => {
    const reached = (await read(by)).filter(
      (thing) =>
        (by.actors === undefined || (thing.actor !== null && by.actors.includes(thing.actor))) &&
        (actor === undefined || thing.actor === actor),
    );
    const latest = withinDays === undefined ? Infinity : nowMs + withinDays * dayMs;
    return reached
      .map((thing) => ({ thing, mark: markOf(thing) }))
      .filter(({ mark }) => mark[0] <= latest && (after === undefined || compareMarks(mark, after) > 0))
      .toSorted((one, other) => compareMarks(one.mark, other.mark))
      .slice(0, limit)
      .map(({ thing: { expiresAt, process = null, ...thing }, mark }) => ({
        expiry: {
          ...thing,
          process,
          expiresAt: expiresAt?.toISOString() ?? null,
          state: stateOf(mark[0] - nowMs),
        },
        mark,
      }));
  };
}

function markOf({ expiresAt, name, kind, actor, detail, process }: ExpiringThing): ExpiryMark {
  const others = JSON.stringify([kind, actor, detail, process?.service, process?.node, process?.role]);
  const digest = createHash('sha256').update(others).digest('base64url');
  return [expiresAt?.getTime() ?? 0, name, digest];
}

function compareMarks(one: ExpiryMark, other: ExpiryMark): number {
  return one[0] - other[0] || compare(one[1], other[1]) || compare(one[2], other[2]);
}

function stateOf(remainingMs: number): Expiry['state'] {
  if (remainingMs <= 0) return 'expired';
  return remainingMs <= soonMs ? 'soon' : 'valid';
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
