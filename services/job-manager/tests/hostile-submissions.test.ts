import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const report = { contractName: 'invoices', actionName: 'write-report' };
const names = '"contractName":"invoices","actionName":"write-report"';
const json = { 'content-type': 'application/json' };

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
  site.manager.client.post('/job-manager/jobs', { body, bearer: site.manager.admin, headers, timeoutMs: 60_000 });
const countJobs = async () => (await site.platform.database.query('SELECT count(*)::int AS jobs FROM jobs.jobs'))[0];

describe('a submission that is refused', () => {
  it.each([
    ['no contract name', 'contractName', { actionName: 'write-report' }],
    ['no action name', 'actionName', { contractName: 'invoices' }],
    ['a number for a name', 'contractName', { ...report, contractName: 7 }],
    ['an empty contract name', 'contractName', { ...report, contractName: '' }],
    ['a contract name of 129 characters', 'contractName', { ...report, contractName: 'x'.repeat(129) }],
    ['an unknown contract', 'contractName', { ...report, contractName: 'nobody' }],
    ['an unknown action', 'actionName', { ...report, actionName: 'nothing' }],
    ['an action of another trigger', 'actionName', { ...report, actionName: 'compress-on-arrival' }],
    ['a prototype for a contract', 'contractName', { ...report, contractName: '__proto__' }],
    ['an extIPID of 65 characters', 'extIPID', { ...report, extIPID: 'x'.repeat(65) }],
    ['an empty extIPID', 'extIPID', { ...report, extIPID: '' }],
    ['null for an extIPID', 'extIPID', { ...report, extIPID: null }],
    ['NUL in an extIPID', 'extIPID', { ...report, extIPID: 'a\0b' }],
    ['a lone surrogate in an extIPID', 'extIPID', { ...report, extIPID: 'a\ud800' }],
    ['a list for variables', 'actionVariables', { ...report, actionVariables: [] }],
    ['text for variables', 'actionVariables', { ...report, actionVariables: '{}' }],
    ['null for variables', 'actionVariables', { ...report, actionVariables: null }],
    ['a number for variables', 'actionVariables', { ...report, actionVariables: 1 }],
    ['NUL in a variable', 'actionVariables', { ...report, actionVariables: { name: 'a\0b' } }],
    ['NUL in the name of a variable', 'actionVariables', { ...report, actionVariables: { 'a\0b': 1 } }],
    ['NUL deep in a variable', 'actionVariables', { ...report, actionVariables: { a: [{ b: [{ 'c\0': 1 }] }] } }],
    ['a lone surrogate in a variable', 'actionVariables', { ...report, actionVariables: { a: '\udfff' } }],
    ['a lone surrogate in the name of a variable', 'actionVariables', { ...report, actionVariables: { '\ud800': 1 } }],
    ['a field that is written differently', 'extIpid', { ...report, extIpid: 'order' }],
    ['a field with a blank', 'extIPID ', { ...report, 'extIPID ': 'order' }],
    ['a variable outside of the variables', 'name', { ...report, name: 'march' }],
    ['a field named constructor', 'constructor', { ...report, constructor: 1 }],
  ])('for %s has a 400 whose message names %s', async (_what, field, body) => {
    const before = await countJobs();
    const response = await site.manager.submit(body);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    const problem = response.json() as { detail: string; errors?: { field: string }[] };
    expect(problem.detail).toContain(`${field}: `);
    expect(problem.errors?.map((error) => error.field)).toEqual([field]);
    expect(await countJobs()).toEqual(before);
  });

  it.each([
    [`{${names},"__proto__":{"folder":"/absent"}}`, '', '__proto__: is not a field of this request'],
    [`{${names},"extIPI":"order"}`, '', 'extIPI: is not a field of this request; did you mean extIPID?'],
    [`{${names}}`, '?extIPID=order', 'extIPID: is not a parameter of this request'],
  ])('for %s%s does not ignore a part of it, which may have been an extIPID', async (body, query, detail) => {
    const before = await countJobs();
    const options = { body, bearer: site.manager.admin, headers: json };
    const response = await site.manager.client.post(`/job-manager/jobs${query}`, options);
    expect([response.status, (response.json() as { detail: string }).detail]).toEqual([400, detail]);
    expect(await countJobs()).toEqual(before);
  });

  it.each([
    ['9007199254740993', 'an integer beyond 2^53'],
    ['-9007199254740993', 'a negative one'],
    ['12345678901234567890', 'a longer one'],
    ['1e400', 'a number beyond the largest'],
  ])('for %s, %s, would otherwise run with another number', async (number) => {
    for (const variables of [`{"a":${number}}`, `{"a":[{"b":${number}}]}`]) {
      const response = await post(`{${names},"actionVariables":${variables}}`);
      expect(response.status).toBe(400);
      expect((response.json() as { detail: string }).detail).toBe(
        'actionVariables: holds a number that is not exact here; send it as text',
      );
    }
  });

  it.each([
    ['no bytes', '', json, 400],
    ['another content type', `{${names}}`, { 'content-type': 'text/plain' }, 415],
    [
      'a form',
      'contractName=invoices&actionName=write-report',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
    ],
    ['JSON in another charset', `{${names}}`, { 'content-type': 'application/json; charset=utf-16' }, 415],
    ['a compressed body', `{${names}}`, { ...json, 'content-encoding': 'gzip' }, 415],
    ['a list', '[]', json, 400],
    ['null', 'null', json, 400],
    ['text', '"invoices"', json, 400],
    ['half a document', `{${names}`, json, 400],
    ['two documents', `{${names}}{${names}}`, json, 400],
    ['deep nesting', `{${names},"actionVariables":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`, json, 400],
    ['deep nesting without an end', '['.repeat(1_000_000), json, 400],
    ['more than 1 MiB', `{${names},"actionVariables":{"text":"${'x'.repeat(1024 * 1024)}"}}`, json, 413],
  ])('for %s creates no job', async (_what, body, headers, status) => {
    const before = await countJobs();
    expect((await post(body, headers)).status).toBe(status);
    expect(await countJobs()).toEqual(before);
  });

  it('for bytes that are not UTF-8 creates no job', async () => {
    expect((await post(new Uint8Array(Buffer.from(`{${names},"extIPID":"\u00ff"}`, 'latin1')))).status).toBe(400);
  });
});

describe('a submission that is accepted', () => {
  it('may have a body of almost 1 MiB', async () => {
    const text = 'x'.repeat(1_000_000);
    const { id } = (
      await site.manager.submit({ ...report, actionVariables: { text, name: 'large' } })
    ).json() as ShownJob;
    await site.manager.reaches(id, 'COMPLETED', 30_000);
    expect((await site.platform.read('/outbox/large.txt'))?.length).toBe(text.length);
  });

  it('with a repeated key has its last value', async () => {
    const response = await post(`{"contractName":"nobody",${names},"actionVariables":{"name":"one","name":"two"}}`);
    expect(response.status).toBe(201);
    const { id } = response.json() as ShownJob;
    await site.manager.reaches(id, 'COMPLETED');
    expect(await site.platform.read('/outbox/two.txt')).toBeDefined();
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'with the variable %s has the variables of the contract, and changes no other object',
    async (name) => {
      const hostile = `{"folder":"/absent","polluted":"yes"}`;
      const response = await post(`{${names},"actionVariables":{"${name}":${hostile},"name":"named-${name}"}}`);
      expect(response.status).toBe(201);
      await site.manager.reaches((response.json() as ShownJob).id, 'COMPLETED');
      expect(String(await site.platform.read(`/outbox/named-${name}.txt`))).toBe('from the contract');
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  );

  it('keeps numbers that are exact', async () => {
    const variables = { name: 'numbers', text: 9_007_199_254_740_991, small: -0.5, list: [1e-7, 0] };
    const { id } = (await site.manager.submit({ ...report, actionVariables: variables })).json() as ShownJob;
    await site.manager.reaches(id, 'COMPLETED');
    expect(String(await site.platform.read('/outbox/numbers.txt'))).toBe('9007199254740991');
  });

  it('has a body in pieces of one byte', async () => {
    const body = JSON.stringify({ ...report, extIPID: 'in pieces' });
    const socket = connect(site.manager.port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.write(headOf(Buffer.byteLength(body)));
    for (const byte of body) socket.write(byte);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /u);
    socket.destroy();
  });
});

it('a client that sends half a body and is then silent holds up no other, and creates nothing', async () => {
  const before = await countJobs();
  const body = JSON.stringify({ ...report, extIPID: 'half' });
  const sockets = Array.from({ length: 50 }, () => {
    const socket = connect(site.manager.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(headOf(Buffer.byteLength(body)) + body.slice(0, body.length / 2));
    return socket;
  });
  expect((await site.manager.submit({ ...report, extIPID: 'whole' })).status).toBe(201);
  for (const socket of sockets) socket.destroy();
  expect((await site.manager.submit({ ...report, extIPID: 'whole' })).status).toBe(409);
  expect((await site.manager.jobs({ extIPID: 'half' })).jobs).toHaveLength(0);
  expect(await countJobs()).toEqual({ jobs: Number(before?.['jobs']) + 1 });
});

function headOf(length: number): string {
  return (
    `POST /job-manager/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${site.manager.admin}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  );
}
