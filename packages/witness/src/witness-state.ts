import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@waybill/signing-keys/key-file';
import { z } from 'zod';

const stateSchema = z.object({
  /** The process that may write. */
  process: z.string(),
  /** By origin, the last checkpoint that was cosigned, a signed note with the cosignature. */
  checkpoints: z.record(z.string(), z.string()),
});

type State = z.infer<typeof stateSchema>;

/** A change of the last cosigned checkpoint of a log. */
export interface StateChange<T> {
  readonly result: T;
  readonly next?: string;
}

/** What the witness remembers of the logs, in one file. */
export interface WitnessState {
  /** The last cosigned checkpoint of a log, a signed note. */
  read(origin: string): Promise<string | undefined>;
  /**
   * Calls `decide` with the last cosigned checkpoint, and stores its `next`, if there is one. One call runs at a time, and
   * resolves with its `result` when the file survives a loss of power.
   */
  update<T>(origin: string, decide: (stored: string | undefined) => StateChange<T>): Promise<T>;
}

/**
 * Opens the file, which is created if it is missing. Another process that has it open can no longer write from then on.
 * @throws Error with a sentence that names the file
 */
export async function openWitnessState(file: string): Promise<WitnessState> {
  const me = randomUUID();
  await write(file, { ...(await readState(file)), process: me });
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: async (origin) => (await readState(file)).checkpoints[origin],
    update: (origin, decide) => {
      const changed = last.then(async () => {
        const state = await readState(file);
        if (state.process !== me) throw new Error(`${file} was opened by another process`);
        const { result, next } = decide(state.checkpoints[origin]);
        if (next !== undefined) await write(file, { ...state, checkpoints: { ...state.checkpoints, [origin]: next } });
        return result;
      });
      last = changed.catch(() => {});
      return changed;
    },
  };
}

/** Removes what the witness remembers of a log: its next checkpoint is then the first one. Returns the removed one. */
export async function forgetLog(file: string, origin: string): Promise<string | undefined> {
  const { [origin]: forgotten, ...checkpoints } = (await readState(file)).checkpoints;
  if (forgotten !== undefined) await write(file, { process: randomUUID(), checkpoints });
  return forgotten;
}

async function readState(file: string): Promise<State> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Error(`${file} cannot be read`, { cause: error });
  });
  if (text === undefined) return { process: '', checkpoints: {} };
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch (cause) {
    // To begin without it would sign a log that goes back.
    throw new Error(`${file} is not the state of a witness: restore the file`, { cause });
  }
}

/** A reader finds the old or the new content, after a crash of the machine as well. */
async function write(file: string, state: State): Promise<void> {
  const draft = `${file}.new`;
  {
    await using handle = await open(draft, 'w', 0o600);
    await handle.writeFile(JSON.stringify(state));
    await handle.sync();
  }
  await rename(draft, file);
  await using folder = await open(path.dirname(file), 'r');
  await folder.sync();
}
