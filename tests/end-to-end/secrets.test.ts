import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { processesOf } from './processes-of.ts';

const resources = new AsyncDisposableStack();
const passwords = {
  admin: 'canary-of-admin',
  acme: 'canary-of-acme',
  globex: 'canary-of-globex',
  wrong: 'canary-of-a-guess',
};
let platform: PlatformProcess;

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = async (name: 'admin' | 'acme') => {
    await writeFile(join(folder.path, name), `${passwords[name]}\n`, { mode: 0o600 });
    return join(folder.path, name);
  };
  const env = {
    ADMIN_PASSWORD_FILE: await file('admin'),
    ACME_PASSWORD_FILE: await file('acme'),
    GLOBEX_PASSWORD: passwords.globex,
    LOG_LEVEL: 'trace',
  };
  platform = resources.use(await startPlatformProcess(env));
});
afterAll(() => resources.disposeAsync());

const logIn = (username: string, password: string) =>
  platform.http().post('/platform-application/api/v1/auth/login', { json: { username, password } });
const logInPartner = (password: string) =>
  platform.http().post('/2.0/login/basic', { form: { username: 'acme', password } });

/** All that a platform shows of itself: what it printed and logged, its metrics, and what others see of its processes. */
async function shown(): Promise<Map<string, string>> {
  const texts = new Map([['what npm start printed', platform.printed()]]);
  const logs = join(platform.folder, 'logs');
  for (const name of await readdir(logs)) texts.set(`log ${name}`, await readFile(join(logs, name), 'utf8'));
  for (const port of platform.servicePorts) {
    texts.set(`metrics at ${port}`, await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  }
  for (const line of processesOf(platform.folder)) {
    const [pid = ''] = line.split(' ');
    for (const file of ['cmdline', 'environ']) {
      texts.set(`${file} of ${line}`, await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''));
    }
  }
  const environments = join(platform.folder, 'environments');
  for (const name of await readdir(environments)) texts.set(name, await readFile(join(environments, name), 'utf8'));
  return texts;
}

test('a platform shows none of its secrets, whoever logs in and whatever fails', async () => {
  const login = await logIn('admin', passwords.admin);
  expect(login.status).toBe(200);
  const { accessToken, refreshToken } = login.json() as { accessToken: string; refreshToken: string };
  const session = await logInPartner(passwords.acme);
  expect(session.status).toBe(200);
  expect((await logIn('admin', passwords.wrong)).status).toBe(401);
  expect((await logInPartner(passwords.wrong)).status).toBe(401);
  const sftp = { port: platform.sftpPort, user: 'acme' };
  expect(await runSftp({ ...sftp, password: passwords.acme, commands: ['ls'] })).toMatchObject({ exitCode: 0 });
  const other = { ...sftp, user: 'globex', password: passwords.globex };
  expect(await runSftp({ ...other, commands: ['ls'] })).toMatchObject({ exitCode: 0 });
  expect(await runSftp({ ...sftp, password: passwords.wrong, commands: ['ls'] })).toMatchObject({ exitCode: 255 });
  for (const part of ['redis', 'postgres'] as const) {
    await platform.signal(part, 'SIGKILL');
    await waitFor(async () => (await logInPartner(passwords.acme)).status === 200, {
      what: `a login after the end of ${part}`,
      timeoutMs: 60_000,
    });
  }

  const stored = ['migrator', 'sftp-gateway', 'http-files', 'job-manager', 'audit', 'operator'].map((user) =>
    join('keys', 'database', user),
  );
  const files = [...stored, join('postgres', 'password'), join('redis', 'password')];
  const secrets = new Map<string, string>([
    ...Object.entries(passwords),
    ['the access token', accessToken],
    ['the refresh token', refreshToken],
  ]);
  for (const file of files) secrets.set(file, (await readFile(join(platform.folder, file), 'utf8')).trim());
  const texts = await shown();
  expect(texts.size).toBeGreaterThan(20);
  for (const [secret, value] of secrets) {
    expect(value.length).toBeGreaterThan(10);
    const places = [...texts].filter(([, text]) => text.includes(value)).map(([place]) => place);
    // What `npm start` was given as a plain variable stays in the environment that the kernel shows of it, and only there.
    const expected = secret === 'globex' ? [expect.stringMatching(/^environ of .*local-platform\/src\/main\.ts/u)] : [];
    expect(places, `places that show ${secret}`).toEqual(expected);
  }
});
