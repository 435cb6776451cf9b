import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession } from '../clients/open-session.ts';
import type { BenchServer } from '../servers/bench-server.ts';
import type { LoginKey } from '../servers/create-login-key.ts';
import type { Rivals } from './compare-rounds.ts';

const sessions = 1_000;
const atATime = 20;
const settleMs = 5_000;
const budgetKibibytes = 150;

/**
 * The memory of a session with an open SFTP channel that is idle, with a thousand of them.
 * @param rivals have just started: servers that have already served others have free memory, which sessions use without
 * growing
 */
export async function measureIdleSessions(rivals: Rivals, key: LoginKey): Promise<void> {
  const privateKey = await readFile(key.identityFile);
  const ours = await kibibytesPerSession(rivals.ours, privateKey);
  const theirs = await kibibytesPerSession(rivals.theirs, privateKey);
  console.log(
    `memory of an idle session, of ${sessions}: OpenSSH ${theirs.toFixed(0)} KiB, Waybill ${ours.toFixed(0)} KiB, ` +
      `budget ${budgetKibibytes} KiB: ${ours <= budgetKibibytes ? 'met' : 'NOT MET'}`,
  );
}

async function kibibytesPerSession(server: BenchServer, privateKey: Buffer): Promise<number> {
  await using open = new AsyncDisposableStack();
  // What the first sessions load stays in memory; it is counted as the server's.
  for (let warm = 0; warm < atATime; warm += 1)
    await (await openSession(server, { privateKey }))[Symbol.asyncDispose]();
  await delay(settleMs);
  const before = await server.memory();
  for (let opened = 0; opened < sessions; opened += atATime) {
    const opening = Array.from({ length: atATime }, () => openSession(server, { privateKey }));
    for (const session of await Promise.all(opening)) open.use(session);
  }
  await delay(settleMs);
  return ((await server.memory()) - before) / sessions / 1024;
}
