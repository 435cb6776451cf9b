import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function send(path: string, body: string) {
  const response = await server.post(body, {}, path);
  const { detail, errors, code } = (await response.json()) as { detail?: string; errors?: unknown; code?: string };
  return { status: response.status, detail, errors, code };
}

const wrong = (field: string, message: string) => ({ field, message });

describe('what a request has that its endpoint does not know is refused, and not ignored', () => {
  test.each([
    ['{"raeson":"x"}', 'raeson', 'is not a field of this request; did you mean reason?'],
    ['{"list":[{"name":"a"},{"nmae":"b"}]}', 'list[1].nmae', 'is not a field of this request; did you mean name?'],
    ['{"filter":{"staus":"x"}}', 'filter.staus', 'is not a field of this request; did you mean status?'],
    ['{"__proto__":{"reason":"x"}}', '__proto__', 'is not a field of this request'],
    ['{"constructor":1}', 'constructor', 'is not a field of this request'],
    ['{"":1}', '""', 'is not a field of this request'],
    [`{"${'x'.repeat(5_000)}":1}`, `${'x'.repeat(100)}…`, 'is not a field of this request'],
  ])('%#: a field of a body', async (body, field, message) => {
    expect(await send('/things/bulk', body)).toEqual({
      status: 400,
      code: 'validation_failed',
      detail: `${field}: ${message}`,
      errors: [wrong(field, message)],
    });
  });

  test('a great many fields, of which the first are named', async () => {
    const members = Array.from({ length: 60_000 }, (_, index) => `"reaso${index}":1`);
    const sendFirst = (count: number) => send('/things/bulk', `{"filter":{${members.slice(0, count).join(',')}}}`);
    const { status, errors } = await sendFirst(5_900);
    expect(status).toBe(400);
    expect(errors).toHaveLength(21);
    expect(errors).toContainEqual(wrong('filter', 'has 5880 more unknown names'));
    expect(await sendFirst(60_000)).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  test.each([
    ['{"reason":"x"}', [wrong('reason', 'belongs in the query')]],
    [
      '{"reason":"x","color":1}',
      [wrong('reason', 'belongs in the query'), wrong('color', 'is not a field of this request')],
    ],
    ['reason=x', undefined],
    ['[]', undefined],
    ['{', undefined],
    ['0', undefined],
  ])('%#: a body where none is expected', async (body, errors) => {
    const answer = await send('/things/7/change?reason=y', body);
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(answer.detail).toMatch(/^The request takes no body/u);
    expect(answer.errors).toEqual(errors);
  });

  test('a body that is too large where none is expected', async () => {
    expect(await send('/things/7/change', `"${'x'.repeat(1_100_000)}"`)).toMatchObject({ status: 413 });
  });

  test('a parameter that occurs twice', async () => {
    expect(await send('/things/7/change?reason=x&reason=y', '')).toMatchObject({
      status: 400,
      errors: [wrong('reason', 'occurs more than once')],
    });
  });

  test('a parameter without a name', async () => {
    expect(await send('/things/7/change?=x', '')).toMatchObject({
      status: 400,
      errors: [wrong('""', 'is not a parameter of this request')],
    });
  });
});

test.each(['', '{}', ' {} \n'])('a body without any field, %j, is accepted where none is expected', async (body) => {
  expect(await send('/things/7/change?reason=100%', body)).toMatchObject({ status: 200 });
});

test('bytes of a query that are not UTF-8 are refused, and the parameter is named', async () => {
  for (const value of ['%ff', 'a%C3', '%ED%A0%80', '%c0%80']) {
    expect(await send(`/things/7/change?reason=${value}`, '')).toMatchObject({
      status: 400,
      code: 'validation_failed',
      detail: 'reason: is not in UTF-8',
      errors: [wrong('reason', 'is not in UTF-8')],
    });
  }
});

test('a fixed address is not one of those that match a pattern', async () => {
  const response = await server.call('/things/bulk');
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await server.call('/things/7')).status).toBe(200);
  expect((await server.call('/things/bulk', { method: 'OPTIONS' })).headers.get('allow')).toBe('POST');
});

test('a request that the parser refuses has a response that says why', async () => {
  const head = 'HTTP/1.1\r\nHost: a\r\n\r\n';
  expect(await server.raw(`GET /things/é ${head}`)).toContain(
    '"The address has characters that must be percent-encoded"',
  );
  expect(await server.raw(`get /things/7 ${head}`)).toContain('"The request does not begin with the name of a method"');
});
