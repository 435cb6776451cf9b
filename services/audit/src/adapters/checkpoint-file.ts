import { rm } from 'node:fs/promises';
import { runWhenWoken } from '@waybill/service-kit/run-when-woken';
import { z } from 'zod';
import { parseCheckpoint } from '../domain/checkpoints/checkpoint.ts';
import type { AcceptedRestore, CheckpointMemory, Remembered } from '../domain/log/checkpoint-memory.ts';
import { readIfThere, writeDurably } from './write-durably.ts';

const acceptedSchema = z.object({
  checkpoint: z.string(),
  user: z.string(),
  reason: z.string(),
  acceptedAt: z.iso.datetime(),
});

/** The memory in a file; it is written in the background, and completed when it is disposed of. */
export interface CheckpointFile extends CheckpointMemory, AsyncDisposable {
  /** Writes what is to be remembered. @throws Error with a sentence that names the file */
  flush(): Promise<void>;
}

/**
 * Remembers the last checkpoint in a file. Processes may share the file: an older checkpoint does not replace a newer
 * one, and one that is overwritten in spite of it is corrected by the next batch.
 */
export function createCheckpointFile(file: string, onFailure: (error: unknown) => void): CheckpointFile {
  let latest: string | undefined;
  let stored: string | undefined;
  const flush = async (): Promise<void> => {
    const note = latest;
    if (note === undefined || note === stored) return;
    await store(file, note);
    stored = note;
  };
  const flushOrReport = () => flush().catch(onFailure);
  const loop = runWhenWoken(flushOrReport);
  return {
    read: () => readRemembered(file),
    remember: (note) => {
      latest = note;
      loop.wake();
    },
    flush,
    [Symbol.asyncDispose]: async () => {
      await loop[Symbol.asyncDispose]();
      await flushOrReport();
    },
  };
}

/** What is remembered in the file. @throws Error with a sentence that names the file */
export async function readRemembered(file: string): Promise<Remembered | undefined> {
  const note = await readIfThere(file);
  if (note === undefined) return undefined;
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint) throw new Error(`${file} has no checkpoint of an audit log: restore the file`);
  const accepted = await readAccepted(file);
  return { note, checkpoint, accepted: accepted?.checkpoint === note ? accepted : undefined };
}

/** Stores the decision of an operator to continue from a database that contradicts the file. */
export async function storeAcceptedRestore(file: string, accepted: AcceptedRestore): Promise<void> {
  await writeDurably(acceptedFileOf(file), JSON.stringify(accepted));
}

async function store(file: string, note: string): Promise<void> {
  const [remembered, next] = [await readRemembered(file), parseCheckpoint(note)];
  if (!next) return;
  const isOlder =
    remembered?.checkpoint.origin === next.origin && next.size < remembered.checkpoint.size && !remembered.accepted;
  if (!isOlder && remembered?.note !== note) await writeDurably(file, note);
  // An acceptance is used up by the next checkpoint, whether it was necessary or not.
  await rm(acceptedFileOf(file), { force: true });
}

async function readAccepted(file: string): Promise<AcceptedRestore | undefined> {
  const text = await readIfThere(acceptedFileOf(file));
  if (text === undefined) return undefined;
  const accepted = acceptedSchema.safeParse(jsonOf(text));
  return accepted.success ? accepted.data : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function acceptedFileOf(file: string): string {
  return `${file}.accepted`;
}
