import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { CommandUsers } from '../../domain/workflows/command-settings.ts';

/** A user that runs nothing but the program that has taken it. Disposing of it ends all processes of the user. */
export interface TakenUser extends AsyncDisposable {
  readonly uid: number;
  /** Ends all processes of the user. */
  endAll(): Promise<void>;
}

const pauseMs = 50;
/** Passes over the processes of a user: each ends all that the last one has found. */
const passesAtMost = 600;
/** After so many looks at all users, it is process 1 that does not collect zombies. */
const roundsForZombies = 200;

/**
 * Takes a user that no other program has, in this process or another one of the machine: the name of a socket is the lock, which
 * ends with its process. Waits for one while all are taken. What an earlier program has left is ended. @throws the signal's reason
 */
export async function takeUser({ first, last }: CommandUsers, signal: AbortSignal): Promise<TakenUser> {
  for (let round = 0; ; round += 1) {
    for (let uid = first; uid <= last; uid += 1) {
      signal.throwIfAborted();
      const lock = await lockUser(uid);
      const taken = lock && (await emptyUser(uid, lock, round >= roundsForZombies));
      if (taken) return taken;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** Zombies count against the limit of processes: while there are any, another user is better. */
async function emptyUser(uid: number, lock: Lock, despiteZombies: boolean): Promise<TakenUser | undefined> {
  const endAll = (): Promise<void> => endProcessesOf(uid);
  try {
    await endAll();
    if (!despiteZombies && (await processesOf(uid)).length > 0) {
      lock.close();
      return undefined;
    }
  } catch (error) {
    lock.close();
    throw error;
  }
  const release = async (): Promise<void> => {
    // A user whose processes do not end stays taken.
    await endAll();
    lock.close();
  };
  return { uid, endAll, [Symbol.asyncDispose]: release };
}

interface Lock {
  close(): void;
}

async function lockUser(uid: number): Promise<Lock | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(`\0waybill-run-command-${uid}`);
    await once(server, 'listening');
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) return undefined;
    throw error;
  }
  server.unref();
  return { close: () => void server.close() };
}

/**
 * Stops all processes of a user, and ends them when no new one is found: a program that starts processes faster than they
 * are ended fills its limit with stopped ones.
 */
async function endProcessesOf(uid: number): Promise<void> {
  const stopped = new Set<number>();
  for (let pass = 0; pass < passesAtMost; pass += 1) {
    const found = (await processesOf(uid)).filter(({ isZombie }) => !isZombie).map(({ pid }) => pid);
    if (found.length === 0) return;
    const others = found.filter((pid) => !stopped.has(pid));
    for (const pid of others) send(pid, 'SIGSTOP');
    for (const pid of others) stopped.add(pid);
    if (others.length > 0) continue;
    for (const pid of found) send(pid, 'SIGKILL');
    await sleep(pauseMs);
  }
  throw new CodedError('job_step_failed', { detail: `the processes of user ${uid} do not end` });
}

interface OwnedProcess {
  readonly pid: number;
  readonly isZombie: boolean;
}

async function processesOf(uid: number): Promise<OwnedProcess[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const states = await Promise.all(names.map((name) => readFile(`/proc/${name}/status`, 'latin1').catch(() => '')));
  return states.flatMap((state, index) => {
    const owner = /^Uid:\s+(?<uid>\d+)/mu.exec(state)?.groups?.['uid'];
    return owner === String(uid) ? [{ pid: Number(names[index]), isZombie: /^State:\s+[ZX]/mu.test(state) }] : [];
  });
}

function send(pid: number, signal: 'SIGSTOP' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It may have ended.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
