import { Readable } from 'node:stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { dryRunOrderBytes, readDryRunAnswer } from '../../domain/workflows/dry-runs/dry-run-messages.ts';
import type { DraftOrder, DryRunOrder, ImagineDraft, ImagineRun } from '../../domain/workflows/dry-runs/imagine-run.ts';
import { openThreadLane } from './thread-lane.ts';
import { createTurns } from './turns.ts';

const program = new URL('../../tasks/flow/dry-run-computation.ts', import.meta.url);

/** Of one dry run. Its expressions have a lower limit of their own. */
const millisecondsAtMost = 5_000;

/** Of the start of a thread, which loads the language of workflows: seconds on a busy machine. */
const startMsAtMost = 30_000;

/** The dry runs of a process. */
export interface DryRunLane extends AsyncDisposable {
  readonly imagineRun: ImagineRun;
  readonly imagineDraft: ImagineDraft;
}

/**
 * Opens the lane for dry runs: they compute in threads with limits of memory and time, and never in the thread that answers
 * requests. A user has one at a time, so that nobody waits for all those of somebody else.
 */
export function openDryRunLane(): DryRunLane {
  const lane = openThreadLane();
  const turnsOf = new Map<string, { readonly turns: ReturnType<typeof createTurns>; asked: number }>();
  return {
    imagineRun: async (order, userName) => {
      const end = await inTurn(order, userName);
      if ('missing' in end) throw new Error('a stored workflow lacks nothing');
      return end.run;
    },
    imagineDraft: async (order, userName) => {
      const end = await inTurn(order, userName);
      return 'missing' in end ? end : { name: end.name ?? '', run: end.run };
    },
    [Symbol.asyncDispose]: () => lane[Symbol.asyncDispose](),
  };

  async function inTurn(order: DryRunOrder | DraftOrder, userName: string) {
    const own = turnsOf.get(userName) ?? { turns: createTurns(1), asked: 0 };
    turnsOf.set(userName, own);
    own.asked += 1;
    try {
      await using _turn = await own.turns.next();
      return await compute(order);
    } finally {
      own.asked -= 1;
      if (own.asked === 0) turnsOf.delete(userName);
    }
  }

  async function compute(order: DryRunOrder | DraftOrder) {
    // Without an order, the program answers at once: the time that its thread takes to start is not that of the run.
    await computeBytes([], AbortSignal.timeout(startMsAtMost));
    const result = await computeBytes([dryRunOrderBytes(order)], AbortSignal.timeout(millisecondsAtMost));
    const end = readDryRunAnswer(result);
    if (!('refusal' in end)) return end;
    const { code, ...refusal } = end.refusal;
    throw new CodedError(code, refusal);
  }

  async function computeBytes(parts: readonly Buffer[], signal: AbortSignal) {
    const order = { program, parameters: {}, input: Readable.from(parts) };
    return await lane.compute(order, signal).catch((cause: unknown) => {
      const why = signal.aborted ? 'it takes too long' : 'it needs too much memory';
      throw new CodedError('validation_failed', { detail: `The dry run was given up: ${why}`, cause });
    });
  }
}
