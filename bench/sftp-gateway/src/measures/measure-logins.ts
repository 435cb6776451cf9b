import { readFile } from 'node:fs/promises';
import { openSession } from '../clients/open-session.ts';
import type { BenchServer } from '../servers/bench-server.ts';
import type { BenchSetting } from '../servers/bench-setting.ts';
import { compareRounds } from './compare-rounds.ts';

const logins = 400;
const concurrency = 16;
const passwordLogins = 100;

/** Logins with an ed25519 key, each up to the open SFTP channel, 16 at a time; then ours with a password, alone. */
export async function measureLogins(setting: BenchSetting): Promise<void> {
  const { ours, key, rounds } = setting;
  const privateKey = await readFile(key.identityFile);
  const seconds = async (count: number, open: () => Promise<AsyncDisposable>): Promise<number> => {
    const startedAt = performance.now();
    let begun = 0;
    const worker = async (): Promise<void> => {
      for (; begun < count;) {
        begun += 1;
        const session = await open();
        await session[Symbol.asyncDispose]();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return (performance.now() - startedAt) / 1_000;
  };
  await compareRounds(setting, {
    title: 'logins with a key',
    rounds,
    budget: 3,
    unit: 'logins/s',
    amount: logins,
    turn: (server: BenchServer) => seconds(logins, () => openSession(server, { privateKey })),
  });
  const { password } = ours;
  const passwordSeconds = await seconds(passwordLogins, () => openSession(ours, { password }));
  console.log(`logins with a password, argon2id: Waybill ${(passwordLogins / passwordSeconds).toFixed(1)} logins/s`);
}
