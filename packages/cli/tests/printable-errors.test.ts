import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';

async function waybill(args: readonly string[], env: Record<string, string> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const surroundings = { env, out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  return { code: await runCommandLine(args, surroundings), out, err };
}

const hostile = 'x\u001B]0;owned\u0007\u001B[2J\u009B31m\u202Ey';

it.each([
  ['an unknown command', [hostile]],
  ['an unknown command of a group', ['jobs', hostile]],
  ['an unknown option', ['jobs', 'list', `--${hostile}`]],
  ['a wrong choice', ['jobs', 'list', '--status', hostile]],
  ['a file that does not exist', ['validate', hostile]],
  ['a wrong number', ['webhook', 'replay', hostile]],
  ['a collection that there is not', ['objects', 'list', hostile]],
])('shows %s without its control characters', async (_, args) => {
  const { code, err } = await waybill(args);
  expect(code).toBeGreaterThan(0);
  const text = err.join('\n');
  expect(text).toContain('x?]0;owned??[2J?31m?y');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

it('shows where to log in, and with which code, without control characters of who answers there', async () => {
  const invitation = {
    deviceCode: 'd',
    userCode: hostile,
    verificationUri: `http://a/${hostile}`,
    expiresIn: 2,
    interval: 0.01,
  };
  const server = createServer((req, res) => {
    res.writeHead(req.url?.endsWith('/device') ? 200 : 404, { 'content-type': 'application/json' });
    res.end(JSON.stringify(invitation));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { out } = await waybill(['login', '--url', `http://127.0.0.1:${port}`, '--oidc']);
  server.close();
  const shown = 'x?]0;owned??[2J?31m?y';
  expect(out).toEqual([`Log in at http://a/${shown}`, `Check there that the code is ${shown}`]);
});

it('does not repeat a token that was given in place of its file', async () => {
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl';
  const { code, err } = await waybill(['users', 'list', '--url', 'http://127.0.0.1:9', '--token', token]);
  expect([code, err.join()]).toEqual([2, expect.stringContaining('the file that --token names')]);
  expect(err.join()).not.toContain('eyJ');
});

it('offers no context whose name a terminal cannot show', async () => {
  await using folder = await createTestFolder();
  const context = { side: 'manager', url: 'https://127.0.0.1', user: 'admin' };
  const contexts = { site: context, [`s${hostile}`]: context, 's\nother': context };
  await mkdir(path.join(folder.path, 'waybill'));
  const file = path.join(folder.path, 'waybill', 'contexts.json');
  await writeFile(file, JSON.stringify({ current: {}, contexts }), { mode: 0o600 });
  const env = { XDG_CONFIG_HOME: folder.path };
  expect(await waybill(['__complete', 'context', 'use', 's'], env)).toEqual({ code: 0, out: ['site'], err: [] });
  expect((await waybill(['__complete', 'status', '--context', 's'], env)).out).toEqual(['site']);
});
