import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSftp } from '../src/run-sftp.ts';

describe('the OpenSSH client', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    client.on('error', () => {});
    client.on('authentication', (login) => {
      if (login.method === 'password' && login.password === `s"e'c ret`) login.accept();
      else login.reject(['password']);
    });
    client.on('session', (accept) => {
      accept().on('sftp', (open) => {
        const sftp = open();
        sftp.on('end', () => sftp.end());
        sftp.on('REALPATH', (id) => sftp.name(id, [{ filename: '/', longname: '/', attrs: {} as ssh2.Attributes }]));
        sftp.on('MKDIR', (id) => sftp.status(id, 3));
      });
    });
  });
  let port: number;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });

  afterAll(() => server.close());

  it('logs in with a password without a terminal and runs the commands', async () => {
    const outcome = await runSftp({ port, user: 'acme', password: `s"e'c ret`, commands: ['pwd'] });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Remote working directory: /') });
  });

  it('reports a refused login by exit code 255', async () => {
    const outcome = await runSftp({ port, user: 'acme', password: 'wrong', commands: ['pwd'] });
    expect(outcome).toMatchObject({ exitCode: 255, stderr: expect.stringContaining('Permission denied') });
  });

  it('stops at the first command that fails, with exit code 1', async () => {
    const outcome = await runSftp({ port, user: 'acme', password: `s"e'c ret`, commands: ['mkdir x', 'pwd'] });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stdout).not.toContain('working directory');
  });
});
