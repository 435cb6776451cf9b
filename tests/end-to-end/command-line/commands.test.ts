import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { connectSftp } from '../two-doors/sftp-door.ts';
import { oneLoggedIn } from './one-platform.ts';
import { environmentIn } from './waybill.ts';

const run = promisify(execFile);
const site = oneLoggedIn();
const submit = (name: string, ...more: string[]) =>
  site.done('jobs', 'submit', 'invoices', 'write-report', '--variables', JSON.stringify({ name, text: 'x' }), ...more);

it('files: a partner makes folders, uploads, lists, moves, downloads and deletes', async () => {
  const content = randomBytes(3_000_000);
  await writeFile(join(site.home, 'march.bin'), content);
  expect(await site.done('files', 'mkdir', '/inbox/2026')).toBe('/inbox/2026 was made\n');
  expect(await site.done('files', 'put', 'march.bin', '/inbox/2026/')).toBe('/inbox/2026/march.bin: 2.9 MiB stored\n');
  expect(await site.done('files', 'ls', '/inbox/2026')).toMatch(
    /^TYPE +SIZE +STORED +NAME\nfile +2\.9 MiB +20\S+Z +march\.bin\n$/u,
  );
  expect(await site.json('files', 'ls', '/inbox/2026')).toMatchObject([
    { filename: 'march.bin', attributes: { size: '3000000' } },
  ]);
  expect(await site.done('files', 'mv', '/inbox/2026/march.bin', '/inbox/2026/april.bin')).toContain('is now');
  expect(await site.done('files', 'get', '/inbox/2026/april.bin')).toBe('april.bin: 2.9 MiB received\n');
  expect((await readFile(join(site.home, 'april.bin'))).equals(content)).toBe(true);
  expect(await site.waybill(['files', 'rm', '/inbox/2026'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('not empty'),
  });
  expect(await site.waybill(['files', 'put', 'march.bin', '/inbox/2026/april.bin', '--keep-existing'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('precondition'),
  });
  await site.done('files', 'rm', '/inbox/2026', '--recursive');
  expect(await site.waybill(['files', 'ls', '/inbox/2026'])).toMatchObject({
    code: 1,
    err: expect.stringContaining("doesn't exist"),
  });
  expect(await site.waybill(['files', 'get', '/inbox/none'])).toMatchObject({ code: 1, out: '' });
  expect(await readdir(site.home)).not.toContain('none');
});

it('files: standard input and output carry any bytes', async () => {
  const input = randomBytes(500_000);
  const put = await site.waybill(['files', 'put', '-', '/inbox/piped.bin'], { input });
  expect(put).toEqual({ code: 0, out: '/inbox/piped.bin: 488.3 KiB stored\n', err: '' });
  const { process: child, ended } = site.waybill.start(['files', 'get', '/inbox/piped.bin', '-']);
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  expect((await ended).code).toBe(0);
  expect(Buffer.concat(chunks).equals(input)).toBe(true);
  await site.done('files', 'rm', '/inbox/piped.bin');
});

it('a name with control characters moves no cursor', async () => {
  await site.waybill(['files', 'put', '-', '/inbox/a\u009b31mred'], { input: 'x' });
  const list = await site.done('files', 'ls', '/inbox');
  expect(list).not.toContain('\u009b');
  await site.done('files', 'rm', '/inbox/a\u009b31mred').catch(() => undefined);
});

it('jobs: submitted once for an identifier, watched to the end, shown, listed and repeated', async () => {
  expect(await submit('one', '--id', 'cli-1', '--watch')).toMatch(/is submitted\n(?:.*\n)*job \d+ is COMPLETED\n$/u);
  expect(await submit('one', '--id', 'cli-1')).toMatch(/was submitted before: COMPLETED\n$/u);
  const [job] = (await site.json(
    'jobs',
    'list',
    '--contract',
    'invoices',
    '--status',
    'COMPLETED',
    '--limit',
    '1',
  )) as { id: number }[];
  const id = String(job?.id);
  expect(await site.done('jobs', 'show', id)).toMatch(
    /^Job \d+ of invoices\/write-report: COMPLETED(?:.*\n)*STEP +TASK/u,
  );
  expect(await site.done('jobs', 'resubmit', id, '--reason', 'again')).toContain(`repeats job ${id}`);
  expect(await site.waybill(['jobs', 'abort', id])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is COMPLETED.*\n {2}Jobs can be aborted until they end, .*resubmitted in COMPLETED/u),
  });
  expect(await site.waybill(['jobs', 'resume', id])).toMatchObject({ code: 1 });
  for (const wrong of ['0', 'x', '1e3', '../1', '99999999999999999']) {
    expect((await site.waybill(['jobs', 'show', wrong])).code).toBe(2);
  }
  expect(await site.waybill(['jobs', 'show', '999999'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('List the jobs.'),
  });
  expect(await site.waybill(['jobs', 'list', '--status', 'LOST'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('COMPLETED'),
  });
});

it('queues: paused with a reason, which the list shows, and resumed; the job waits meanwhile', async () => {
  expect((await site.waybill(['queues', 'pause', 'Default Queue'])).code).toBe(2);
  expect(await site.done('queues', 'pause', 'Default Queue', '--reason', 'maintenance')).toBe(
    'Default Queue is paused\n',
  );
  expect(await site.done('queues', 'list')).toMatch(/Default Queue +Paused +no .+maintenance/u);
  const id = /job (\d+)/u.exec(await submit('waits'))?.[1] ?? '';
  expect(await site.done('jobs', 'show', id)).toContain('Waits:');
  const aborted = site.waybill.start(['jobs', 'watch', id]);
  await site.done('jobs', 'abort', id, '--reason', 'not needed');
  expect(await aborted.ended).toMatchObject({ code: 1, err: expect.stringContaining(`job ${id} is ABORTED`) });
  expect(await site.done('queues', 'resume', 'Default Queue')).toContain('is resumed');
});

it('sessions: listed, watched and killed', async () => {
  const watching = site.waybill.start(['sessions', 'watch']);
  await using session = await connectSftp({ port: site.platform.sftpPort, user: 'acme', password: 'acme-demo' });
  await waitFor(() => watching.printed().includes('acme'), { what: 'the session to be seen' });
  const listed = (await site.json('sessions', 'list', '--user', 'acme', '--protocol', 'SFTP')) as {
    sessionId: string;
  }[];
  expect(listed).toHaveLength(1);
  const id = listed[0]?.sessionId.slice(0, 12) ?? '';
  expect(await site.done('sessions', 'list')).toContain(id);
  expect((await site.waybill(['sessions', 'kill', 'XYZ'])).code).toBe(2);
  expect((await site.waybill(['sessions', 'kill', '0'.repeat(20)])).code).toBe(1);
  expect(await site.done('sessions', 'kill', id)).toBe('the session of acme was ended\n');
  await waitFor(() => /ended {2}/u.test(watching.printed()), { what: 'the end to be seen' });
  watching.process.kill('SIGINT');
  expect((await watching.ended).code).toBe(130);
  expect(session).toBeDefined();
});

it('sessions over HTTP: watched, listed with those over SFTP, and killed', async () => {
  const watching = site.waybill.start(['sessions', 'watch', '--json']);
  await waitFor(() => watching.printed().includes('"HTTP"'), { what: 'the first list' });
  const http = site.platform.http();
  await http.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
  const own = (await http.get('/2.0/account/sessions')).json() as { sessions: { id: string; current: boolean }[] };
  const id = own.sessions.find(({ current }) => current)?.id ?? '';
  expect(await site.done('sessions', 'list', '--user', 'acme')).toContain(`${id.slice(0, 13)}  HTTP`);
  await waitFor(() => watching.printed().includes(`"sessionId":"${id}"`), { what: 'the login to be seen' });
  expect(await site.done('sessions', 'list', '--protocol', 'SFTP')).not.toContain('HTTP');
  expect((await site.waybill(['sessions', 'list', '--protocol', 'FTP'])).code).toBe(2);
  expect(await site.done('sessions', 'kill', id.slice(0, 20))).toBe('the session of acme was ended\n');
  expect((await http.get('/2.0/account')).status).toBe(401);
  expect((await site.waybill(['sessions', 'kill', id])).code).toBe(1);
  const ended = JSON.stringify({ event: 'ended', protocol: 'HTTP', data: { sessionId: id } });
  await waitFor(() => watching.printed().includes(ended), { what: 'the end to be seen' });
  expect(watching.printed()).toContain(`{"event":"opened","protocol":"HTTP","data":{"sessionId":"${id}"`);
  watching.process.kill('SIGINT');
  expect((await watching.ended).code).toBe(130);
});

it('bans: listed and lifted', async () => {
  expect(await site.done('bans', 'list')).toBe('There are none.\n');
  expect((await site.waybill(['bans', 'lift', 'nowhere'])).code).toBe(2);
  expect(await site.waybill(['bans', 'lift', '203.0.113.7'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('203.0.113.7 is not banned'),
  });
});

it('transfers: listed, watched and killed', async () => {
  const client = site.platform.http();
  await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
  const headers = { cookie: client.cookies.header() ?? '', 'content-type': 'application/octet-stream' };
  const upload = request(`${site.platform.url}/2.0/files/inbox/killed.bin`, { method: 'PUT', headers });
  upload.on('error', () => {});
  const closed = new Promise((resolve) => upload.once('close', resolve));
  upload.write(Buffer.alloc(1_000));
  const watching = site.waybill.start(['transfers', 'watch', '--protocol', 'HTTP']);
  await waitFor(() => /^began {2}.*acme {2}upload \/inbox\/killed\.bin/mu.test(watching.printed()), { what: 'it' });
  const listed = (await site.json('transfers', 'list', '--user', 'acme')) as { transferId: string }[];
  expect(listed).toMatchObject([{ protocol: 'HTTP', path: '/inbox/killed.bin', direction: 'upload' }]);
  const id = listed[0]?.transferId.slice(0, 13) ?? '';
  expect(await site.done('transfers', 'list')).toContain(id);
  expect(await site.done('transfers', 'list', '--protocol', 'SFTP')).toBe('There are none.\n');
  expect((await site.waybill(['transfers', 'list', '--protocol', 'FTP'])).code).toBe(2);
  expect((await site.waybill(['transfers', 'kill', 'x'])).code).toBe(2);
  expect((await site.waybill(['transfers', 'kill', '0'.repeat(20)])).code).toBe(1);
  expect(await site.done('transfers', 'kill', id)).toBe('the upload of acme was ended\n');
  await closed;
  await waitFor(() => /^ended {2}/mu.test(watching.printed()), { what: 'the end to be seen' });
  watching.process.kill('SIGINT');
  expect((await watching.ended).code).toBe(130);
});

it('audit: queried, followed, exported and verified', async () => {
  const tail = site.waybill.start(['audit', 'tail', '--filter', '{auditOperation="SERVER_UPLOAD_FILE"}', '--json']);
  let number = 0;
  await waitFor(
    async () => {
      number += 1;
      await site.waybill(['files', 'put', '-', `/inbox/tail-${number}.txt`], { input: 'x' });
      return tail.printed().includes('/inbox/tail-');
    },
    { what: 'the record to be followed', intervalMs: 200 },
  );
  tail.process.kill('SIGTERM');
  expect((await tail.ended).code).toBe(130);
  const filter = '{auditOperation="SERVER_UPLOAD_FILE",dataoneUser="acme"}';
  expect(await site.done('audit', 'query', '--filter', filter)).toMatch(
    /^TIME +CODE +USER +ID +MESSAGE\n20\S+ +AUD\w+ +acme +[\da-f-]{36} +Server upload/u,
  );
  expect(await site.json('audit', 'query', '--limit', '3')).toHaveLength(3);
  expect(await site.waybill(['audit', 'query', '--filter', '{'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/ {2}--filter: .*position .*\n.*`waybill help audit query`/u),
  });
  expect(await site.done('audit', 'export', '--file', 'audit.ndjson')).toBe('The audit log is in audit.ndjson\n');
  expect((await stat(join(site.home, 'audit.ndjson'))).mode & 0o777).toBe(0o600);
  const verified = await site.waybill(['audit', 'verify', '--file', 'audit.ndjson']);
  expect(verified).toMatchObject({ code: 0 });
  expect((await site.waybill(['audit', 'export', '--format', 'csv'])).out.split('\n').length).toBeGreaterThan(5);
});

it('the commands that take --url and --token use the current context as well', async () => {
  expect(await site.done('expectation', 'list')).toBe('There are none.\n');
  expect(await site.done('audit', 'holds')).toBe('There are none.\n');
});

it('bash completes commands, options, values and contexts', async () => {
  const script = await site.done('completion', 'bash');
  await writeFile(
    join(site.home, 'waybill'),
    `#!/bin/sh\nexec ${process.execPath} ${join(import.meta.dirname, '../../../packages/cli/src/main.ts')} "$@"\n`,
    { mode: 0o755 },
  );
  const complete = async (...words: string[]): Promise<string[]> => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const ask = `${script}\nCOMP_WORDS=(waybill ${quoted}); COMP_CWORD=${words.length}; COMP_LINE='waybill ${words.join(' ')}'; COMP_POINT=\${#COMP_LINE}\n_waybill\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...environmentIn(site.home), PATH: `${site.home}:${process.env['PATH']}` };
    const { stdout } = await run('bash', ['--norc', '-c', ask], { env });
    return stdout.split('\n').filter((line) => line !== '');
  };
  expect(await complete('jo')).toEqual(['jobs']);
  expect(await complete('jobs', 're')).toEqual(['resume', 'resubmit']);
  expect(await complete('jobs', 'list', '--st')).toEqual(['--status']);
  expect(await complete('jobs', 'list', '--status', 'R')).toEqual(['RUNNING']);
  expect(await complete('jobs', 'list', '--json', '--js')).toEqual([]);
  expect(await complete('status', '--context', 'admin')).toEqual([`admin@${new URL(site.platform.url).host}`]);
  expect(await complete('context', 'use', 'acme')).toEqual([`acme@${new URL(site.platform.url).host}`]);
  expect(await complete('completion', '')).toContain('zsh');
  expect(await complete('nothing', 'such', '')).toEqual([]);
});
