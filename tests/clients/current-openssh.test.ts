import { readFile } from 'node:fs/promises';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { opensshArguments, opensshEnvironment } from '@waybill/test-kit/openssh-login';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CurrentOpenssh, fetchCurrentOpenssh } from './fetch-current-openssh.ts';
import './page-entry.ts';
import { type PartnerServer, startPartnerServer } from './partner-server.ts';
import { runOutcome } from './run-client.ts';

const folder = await createTestFolder();
const found = await fetchCurrentOpenssh(folder.path).catch((error: unknown) => String(error));
const clients = typeof found === 'string' ? [] : [found];
const obstacles = typeof found === 'string' ? [found] : [];
const title = 'agrees on mlkem768x25519-sha256 with the gateway, and warns of nothing';
let server: PartnerServer;

beforeAll(async () => {
  server = await startPartnerServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

async function logIn({ program }: CurrentOpenssh): Promise<string> {
  const { port, user, password } = server.login('password');
  const args = opensshArguments({ password, sshOptions: { LogLevel: 'DEBUG1' } });
  const env = opensshEnvironment({ password });
  const outcome = await runOutcome(['sftp', '-S', program, ...args, `-P${port}`, '-b', '-', `${user}@127.0.0.1`], {
    env,
    input: 'ls /\n',
  });
  expect(outcome).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('inbox') });
  return outcome.stderr;
}

describe('a current OpenSSH', () => {
  it.for(clients)(`$version ${title}`, async (client, { task }) => {
    task.meta.waybillParticular = { client: `OpenSSH ${client.version}`, title };
    const said = await logIn(client);
    expect(said).toContain('kex: algorithm: mlkem768x25519-sha256');
    expect(said).not.toContain('post-quantum');
  });

  it.for(clients)('$version is one that warns where there is no such exchange', async ({ binary }) => {
    expect((await readFile(binary)).includes('connection is not using a post-quantum key exchange')).toBe(true);
  });

  it.for(obstacles)('cannot be had on this machine: %s', async (reason, { task }) => {
    task.meta.waybillParticular = { client: 'A current OpenSSH', title, notTried: reason };
    await expect(fetchCurrentOpenssh(folder.path)).rejects.toThrow(/./u);
  });
});
