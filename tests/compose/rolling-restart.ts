import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openClients } from './clients-under-load.ts';
import { openLongTransfers } from './long-transfers.ts';

// Replaces every replica of a composed platform that is up while clients of every kind ask without a pause, and while long
// transfers are in progress; exit code 1 when a single one of them fails. Run it in the folder of docker-compose.yml:
// NODE_EXTRA_CA_CERTS=cert.pem ADMIN_PASSWORD=... ACME_PASSWORD=... node tests/compose/rolling-restart.ts [SERVICE...]
const option = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { partners: option, administrators: option, sftp: option, pause: option },
});
const [host = '127.0.0.1', port = '2222'] = (values.sftp ?? '').split(':').filter((part) => part !== '');
const platform = {
  partners: values.partners ?? 'https://127.0.0.1:8443',
  administrators: values.administrators ?? 'https://127.0.0.1:9443',
  sftp: { host, port: Number(port) },
  passwords: { admin: process.env['ADMIN_PASSWORD'] ?? '', acme: process.env['ACME_PASSWORD'] ?? '' },
};
const folder = await mkdtemp(join(tmpdir(), 'waybill-load-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
const clients = await openClients(platform);
// What fails before anything is replaced is a mistake of the set-up.
for (const client of Object.values(clients)) await client();
const transfers = await openLongTransfers(platform, folder);

const kinds = [
  ...Object.entries(clients).map(([name, client]) => ({
    name,
    pauseMs: Number(values.pause ?? '50'),
    run: async () => {
      await client();
      return { resumed: 0 };
    },
  })),
  ...Object.entries(transfers).map(([name, run]) => ({ name, pauseMs: 0, run })),
].map((kind) => ({ ...kind, done: 0, resumed: 0, failed: 0, isRunning: false, restarts: 0 }));
type Kind = (typeof kinds)[number];
const failures: string[] = [];
const over = new AbortController();
const working = kinds.map(repeat);
// The long ones are in progress when the first replica is told to stop.
await sleep(3_000);

const restart = spawn(fileURLToPath(new URL('../../deploy/rolling-restart', import.meta.url)), positionals, {
  stdio: ['ignore', 'pipe', 'inherit'],
});
createInterface(restart.stdout).on('line', (line) => {
  process.stdout.write(`${line}\n`);
  const [, service] = /^replacing (.+)-\d+$/u.exec(line) ?? [];
  for (const kind of kinds) {
    if (service !== undefined && kind.name.startsWith(`${service},`) && kind.isRunning) kind.restarts += 1;
  }
});
const [exitCode] = (await once(restart, 'exit')) as [number | null];
over.abort();
await Promise.all(working);

say('client', 'done', 'in progress at a stop', 'resumed', 'failed');
say('---', '---', '---', '---', '---');
for (const { name, done, restarts, resumed, failed } of kinds) say(name, done, restarts, resumed, failed);
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(`${failures.length} failed\n`);
process.exitCode = exitCode === 0 && failures.length === 0 ? 0 : 1;

async function repeat(kind: Kind): Promise<void> {
  while (!over.signal.aborted) {
    try {
      kind.isRunning = true;
      kind.resumed += (await kind.run()).resumed;
      kind.done += 1;
    } catch (error) {
      kind.failed += 1;
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      const message = error instanceof Error ? error.message : String(error);
      failures.push(`${new Date().toISOString()} ${kind.name}: ${message}${cause}`);
    }
    kind.isRunning = false;
    await sleep(kind.pauseMs);
  }
}

function say(...cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
