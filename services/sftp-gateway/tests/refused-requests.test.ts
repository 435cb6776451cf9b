import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ConnectConfig, type ExecOptions } from 'ssh2';
import { beforeAll, describe, expect, it } from 'vitest';
import { method, property } from '../src/sftp/ssh2/insides-of-ssh2.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();

beforeAll(async () => {
  await writeFile(join(peer.rig.folder, 'file'), 'content');
});

/** Runs a program of OpenSSH, logged in as globex. */
async function run(program: string, portOption: string, rest: string[]): Promise<{ exitCode: number; stderr: string }> {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'PreferredAuthentications=password'];
  const given = [
    '-F',
    '/dev/null',
    portOption,
    String(peer.gateway.sftpPort),
    ...options.flatMap((option) => ['-o', option]),
  ];
  const child = spawn(program, [...given, ...rest], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      SSH_ASKPASS: fileURLToPath(new URL('../../../packages/test-kit/src/askpass.sh', import.meta.url)),
      SSH_ASKPASS_REQUIRE: 'force',
      WAYBILL_TEST_PASSWORD: 'globex-demo',
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [exitCode] = (await once(child, 'close')) as [number];
  return { exitCode, stderr };
}

describe('a client of OpenSSH that asks for more than SFTP is refused with a reason', () => {
  it.each<[string, string[], RegExp]>([
    [
      'a forwarding to elsewhere',
      ['-W', '127.0.0.1:1', 'globex@127.0.0.1'],
      /open failed: administratively prohibited/u,
    ],
    [
      'a forwarding from here',
      ['-N', '-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:1', 'globex@127.0.0.1'],
      /remote port forwarding failed/u,
    ],
    ['another subsystem', ['-s', 'globex@127.0.0.1', 'netconf'], /subsystem request failed/u],
    ['a command', ['globex@127.0.0.1', 'id'], /This server offers SFTP only/u],
  ])('%s', async (_name, rest, reason) => {
    const { exitCode, stderr } = await run('ssh', '-p', rest);
    expect(stderr).toMatch(reason);
    expect(exitCode).not.toBe(0);
  });

  it('the old protocol of scp', async () => {
    const { exitCode, stderr } = await run('scp', '-P', [
      '-O',
      join(peer.rig.folder, 'file'),
      'globex@127.0.0.1:/data/file',
    ]);
    expect(stderr).toMatch(/This server offers SFTP only: .*use scp without -O/u);
    expect(exitCode).not.toBe(0);
  });

  it('but the present scp works', async () => {
    const { exitCode } = await run('scp', '-P', [join(peer.rig.folder, 'file'), 'globex@127.0.0.1:/data/file']);
    expect(exitCode).toBe(0);
  });
});

describe('a session is granted no', () => {
  it.each<[string, ConnectConfig, ExecOptions, RegExp]>([
    ['X11', {}, { x11: true }, /Unable to request X11/u],
    ['agent', { agent: '/nowhere', agentForward: true }, {}, /Unable to request agent forwarding/u],
  ])('%s', async (_name, config, options, reason) => {
    const client = new Client();
    const login = { username: 'globex', password: 'globex-demo', authHandler: ['password' as const] };
    client.connect({ port: peer.gateway.sftpPort, host: '127.0.0.1', ...login, ...config });
    await once(client, 'ready');
    const asked = new Promise((_resolve, reject) => {
      client.exec('id', options, (error) => reject(error ?? new Error('granted')));
    });
    await expect(asked).rejects.toThrow(reason);
    client.end();
    await once(client, 'close');
  });
});

describe('a channel that already speaks SFTP', () => {
  /** Resolves with whether it was refused; ssh2 cannot send such a request, so that of the agent is used. */
  const askAgain = ({ connection, channel }: RawSftpClient): Promise<boolean> => {
    const callbacks = property(channel, '_callbacks');
    const id = property(property(channel, 'outgoing'), 'id');
    const protocol = property(connection, '_protocol');
    const forward = method(protocol, 'openssh_agentForward');
    if (!Array.isArray(callbacks)) throw new TypeError('ssh2: a channel has no callbacks');
    return new Promise((resolve) => {
      callbacks.push(resolve);
      Reflect.apply(forward, protocol, [id, true]);
    });
  };

  it('refuses every further request, which clients like PuTTY wait for, and continues', async () => {
    await using client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
    await expect(Promise.all([askAgain(client), askAgain(client)])).resolves.toEqual([true, true]);
    const answer = await client.ask({ type: 'realpath', id: 1, path: Buffer.from('.') });
    expect(answer).toMatchObject({ type: 'name', entries: [{ filename: '/' }] });
  });
});
