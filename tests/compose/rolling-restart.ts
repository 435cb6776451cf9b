import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Client, openClients } from './clients-under-load.ts';

// Replaces every replica of a composed platform that is up while clients of every kind ask without a pause; exit code 1 when a
// single one of them fails. NODE_EXTRA_CA_CERTS=cert.pem ADMIN_PASSWORD=... ACME_PASSWORD=... node tests/compose/rolling-restart.ts [SERVICE...]
const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { partners: text, administrators: text, sftp: text, pause: text },
});
const [host = '127.0.0.1', port = '2222'] = (values.sftp ?? '').split(':').filter((part) => part !== '');
const clients = await openClients({
  partners: values.partners ?? 'https://127.0.0.1:8443',
  administrators: values.administrators ?? 'https://127.0.0.1:9443',
  sftp: { host, port: Number(port) },
  passwords: { admin: process.env['ADMIN_PASSWORD'] ?? '', acme: process.env['ACME_PASSWORD'] ?? '' },
});
// What fails before anything is replaced is a mistake of the set-up.
for (const client of Object.values(clients)) await client();
const done = new Map<string, number>();
const failures: string[] = [];
const over = new AbortController();

const restart = spawn(fileURLToPath(new URL('../../deploy/rolling-restart', import.meta.url)), positionals, {
  stdio: 'inherit',
});
const asking = Object.entries(clients).map(([name, client]) => askWithoutEnd(name, client));
const [exitCode] = await once(restart, 'exit');
over.abort();
await Promise.all(asking);

for (const [name, count] of done) process.stdout.write(`${name}: ${count} done\n`);
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(`${failures.length} failed\n`);
process.exitCode = exitCode === 0 && failures.length === 0 ? 0 : 1;

async function askWithoutEnd(name: string, client: Client): Promise<void> {
  while (!over.signal.aborted) {
    try {
      await client();
      done.set(name, (done.get(name) ?? 0) + 1);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      failures.push(
        `${new Date().toISOString()} ${name}: ${error instanceof Error ? error.message : String(error)}${cause}`,
      );
    }
    await sleep(Number(values.pause ?? '50'));
  }
}
