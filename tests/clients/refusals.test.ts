import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { opensshArguments, opensshEnvironment } from '@waybill/test-kit/openssh-login';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import './page-entry.ts';
import { type PartnerServer, startPartnerServer } from './partner-server.ts';
import { runOutcome } from './run-client.ts';
import type { TransferClient } from './transfer-client.ts';
import { transferClients } from './transfer-clients.ts';

let server: PartnerServer;
let file: string;

beforeAll(async () => {
  server = await startPartnerServer();
  file = join(server.folder, 'a.txt');
  await writeFile(file, 'some text');
});
afterAll(() => server[Symbol.asyncDispose]());

describe('what is not SFTP is refused in one sentence, and the client ends with 1', () => {
  const at = 'acme@127.0.0.1';
  const attempts: { shown: string; commandFor(port: string): [string, ...string[]] }[] = [
    { shown: 'ssh acme@host', commandFor: (port) => ['ssh', '-p', port, at] },
    { shown: 'ssh -t acme@host', commandFor: (port) => ['ssh', '-tt', '-p', port, at] },
    { shown: 'ssh acme@host ls', commandFor: (port) => ['ssh', '-p', port, at, 'ls'] },
    { shown: 'scp -O a.txt acme@host:/inbox/', commandFor: (port) => ['scp', '-O', '-P', port, file, `${at}:/inbox/`] },
    {
      shown: 'scp -O acme@host:/inbox/a.txt .',
      commandFor: (port) => ['scp', '-O', '-P', port, `${at}:/inbox/a`, file],
    },
  ];

  it.for(attempts)('$shown', async ({ shown, commandFor }, { task }) => {
    const { port, password } = server.login('password');
    const [program, ...args] = commandFor(`${port}`);
    const env = opensshEnvironment({ password });
    const outcome = await runOutcome([program, ...opensshArguments({ password }), ...args], { env });
    const text = (outcome.stdout + outcome.stderr).replaceAll('\r', '').trim();
    task.meta.waybillRefusal = { what: 'Anything but SFTP', by: shown, text };
    expect(outcome.exitCode).toBe(1);
    expect(text).toMatch(/^This server offers SFTP only: .+\.(\nlost connection)?$/);
  });
});

describe('an upload that is refused is a failure to the client', () => {
  const uploads = {
    'An upload to a folder where one may not upload': '/outbox/a.txt',
    'An upload under a name of 256 bytes': `/inbox/${'x'.repeat(256)}`,
  };
  const attempts = Object.entries(uploads).flatMap(([what, remote]) =>
    transferClients
      .filter((client) => client.obstacle?.() === undefined)
      .map((client) => ({ what, remote, client, name: client.name })),
  );

  it.for(attempts)('$what with $name', async ({ what, remote, client }, { task }) => {
    const said = await complaintOf(client, remote);
    task.meta.waybillRefusal = { what, by: client.name, text: shortened(said) };
    expect(said).not.toBe('');
    expect(await server.namesIn(dirname(remote))).not.toContain(basename(remote));
  });
});

/** What a client says when it uploads a file in vain; empty when it takes it for done. */
async function complaintOf(client: TransferClient, remote: string): Promise<string> {
  await using connected = await client.connect(server.login('key'));
  try {
    await connected.upload?.(file, remote);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

/** The last line but for greetings, without what differs from run to run. */
function shortened(said: string): string {
  const line =
    said
      .trim()
      .split('\n')
      .findLast((text) => !/^(Using username|Keyboard-interactive|End of keyboard)/.test(text)) ?? '';
  return line
    .replaceAll(`${server.folder}/`, '')
    .replaceAll(/sshfs-\w+\/mounted/g, '')
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '')
    .replaceAll(/x{100,}/g, 'xxx…')
    .replaceAll(`:${server.platform.sftpPort}`, '');
}
