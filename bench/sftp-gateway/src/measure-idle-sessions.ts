import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchSetting } from './bench-setting.ts';
import { openSession } from './open-session.ts';

const sessions = 1_000;
const atATime = 20;
const settleMs = 5_000;
const budgetKibibytes = 150;

/** What a session costs that has its SFTP channel open and does nothing, with a thousand of them. */
export async function measureIdleSessions(setting: BenchSetting): Promise<void> {
  const privateKey = await readFile(setting.key.identityFile);
  const perSession: Record<string, number> = {};
  for (const server of [setting.ours, setting.theirs]) {
    await using open = new AsyncDisposableStack();
    // What the first sessions load stays; it belongs to the server.
    for (let warm = 0; warm < atATime; warm += 1)
      await (await openSession(server, { privateKey }))[Symbol.asyncDispose]();
    await delay(settleMs);
    const before = await server.memory();
    for (let opened = 0; opened < sessions; opened += atATime) {
      const opening = Array.from({ length: atATime }, () => openSession(server, { privateKey }));
      for (const session of await Promise.all(opening)) open.use(session);
    }
    await delay(settleMs);
    perSession[server.name] = ((await server.memory()) - before) / sessions / 1024;
  }
  const [ours = Number.NaN, theirs = Number.NaN] = [perSession[setting.ours.name], perSession[setting.theirs.name]];
  console.log(
    `memory of an idle session, of ${sessions}: OpenSSH ${theirs.toFixed(0)} KiB, Waybill ${ours.toFixed(0)} KiB, ` +
      `budget ${budgetKibibytes} KiB: ${ours <= budgetKibibytes ? 'met' : 'NOT MET'}`,
  );
}
