import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function problemOf(answer: Promise<Response>) {
  const response = await answer;
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = (await response.json()) as {
    status: number;
    code: string;
    detail: string;
    errors?: unknown;
    requestId: string;
  };
  expect(body.status).toBe(response.status);
  expect(body.requestId).toBe(response.headers.get('x-request-id'));
  return body;
}

describe('a request that is refused', () => {
  test.each([
    ['no token', { authorization: '' }, 401, 'not_authenticated'],
    ['a token of nobody', { authorization: 'Bearer nobody' }, 401, 'not_authenticated'],
    ['a token whose role lacks the resource', { authorization: 'Bearer viewer' }, 403, 'not_permitted'],
    ['another content type', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }, 415, 'unsupported_media_type'],
  ])('for %s is answered as a problem', async (_what, headers, status, code) => {
    expect(await problemOf(server.post('{"name":"n"}', headers))).toMatchObject({ status, code });
  });

  test.each([
    ['malformed JSON', '{"name":', '/echo/7', 400, 'malformed_body'],
    ['bytes that are not UTF-8', '\uFFFD{', '/echo/7', 400, 'malformed_body'],
    ['a missing field', '{}', '/echo/7', 400, 'validation_failed'],
    ['an unknown query parameter', '{"name":"n"}', '/echo/7?colour=red', 400, 'validation_failed'],
    ['a parameter of the wrong type', '{"name":"n"}', '/echo/seven', 400, 'validation_failed'],
    ['broken percent-encoding', '{"name":"n"}', '/echo/%zz', 400, 'validation_failed'],
    ['bytes that are no UTF-8', '{"name":"n"}', '/echo/%FF?sort=a', 400, 'validation_failed'],
    ['broken percent-encoding nowhere', '{"name":"n"}', '/nowhere/%zz', 404, 'route_not_found'],
    ['a body over the limit', JSON.stringify({ name: 'n'.repeat(1_100_000) }), '/echo/7', 413, 'payload_too_large'],
    ['an address over the limit', '{"name":"n"}', `/echo/7?sort=${'n'.repeat(17_000)}`, 414, 'address_too_long'],
  ])('for %s is answered as a problem', async (_what, body, path, status, code) => {
    expect(await problemOf(server.post(body, {}, path))).toMatchObject({ status, code });
  });

  test('for what is over a limit names the limit', async () => {
    const address = await problemOf(server.post('{"name":"n"}', {}, `/echo/7?sort=${'n'.repeat(17_000)}`));
    expect(address.detail).toBe('An address has at most 16384 characters');
    const body = await problemOf(server.post(JSON.stringify({ name: 'n'.repeat(1_100_000) })));
    expect(body.detail).toMatch(/^The body may have at most \d+ bytes$/u);
    const endless = await server.raw(`GET / HTTP/1.1\r\nHost: a\r\nX-Much: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(endless).toContain('"The address and the headers have at most 32768 bytes together"');
  });

  test('names the fields that are wrong', async () => {
    const { errors } = await problemOf(server.post('{"name":7}'));
    expect(errors).toEqual([{ field: 'name', message: expect.any(String) as string }]);
  });

  test('says what is wrong with a body as a whole, or a query, in words for requests', async () => {
    for (const body of ['[]', '"text"', 'null']) {
      expect(await problemOf(server.post(body))).toMatchObject({
        detail: 'The body must be a JSON object',
        errors: [{ field: '', message: 'must be a JSON object' }],
      });
    }
    const message = 'is not a parameter of this request';
    expect(await problemOf(server.post('{"name":"n"}', {}, '/echo/7?colour=red'))).toMatchObject({
      detail: `colour: ${message}`,
      errors: [{ field: 'colour', message }],
    });
  });

  test('asks for the token in WWW-Authenticate', async () => {
    const response = await server.post('{}', { authorization: '' });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('with another method gets the supported methods', async () => {
    const response = server.call('/echo/7', { method: 'DELETE' });
    expect(await problemOf(response)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect((await response).headers.get('allow')).toBe('POST');
  });

  test('at no address is a 404', async () => {
    expect(await problemOf(server.call('/nowhere'))).toMatchObject({ status: 404, code: 'route_not_found' });
  });

  test('keeps the code of an expected failure, and hides an unexpected one in the log', async () => {
    expect(await problemOf(server.call('/fail/coded'))).toMatchObject({
      status: 404,
      code: 'job_unknown',
      detail: 'There is no job 7',
    });
    expect(await problemOf(server.call('/fail/outage'))).toMatchObject({ status: 503, code: 'service_unavailable' });
    const answer = await problemOf(server.call('/fail/bug'));
    expect(answer).toMatchObject({ status: 500, code: 'internal_error' });
    expect(JSON.stringify(answer)).not.toContain('4711');
    expect(server.logLines.some((line) => line.includes('4711') && line.includes(answer.requestId))).toBe(true);
  });

  test('as bytes that are not HTTP, or with endless headers, is answered as a problem', async () => {
    expect(await server.raw('rubbish\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*application\/problem\+json[\s\S]*malformed_body/u,
    );
    const endless = `GET / HTTP/1.1\r\nHost: a\r\nX-Much: ${'x'.repeat(40_000)}\r\n\r\n`;
    expect(await server.raw(endless)).toMatch(/^HTTP\/1\.1 431 [\s\S]*headers_too_large/u);
  });

  test.each([
    ['two hosts', 'Host: a\r\nHost: b', 400, 'validation_failed'],
    ['a host that is none', 'Host: a/b@c', 400, 'validation_failed'],
    ['a body in another coding', 'Host: a\r\nTransfer-Encoding: gzip, chunked', 501, 'operation_unsupported'],
  ])('for %s is answered as a problem', async (_what, head, status, code) => {
    const answer = await server.raw(`PUT /count HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n0\r\n\r\n`);
    expect(answer).toMatch(new RegExp(String.raw`^HTTP/1\.1 ${status} [\s\S]*"code":"${code}"`, 'u'));
  });

  test.each(['files.example.org:8443', '[::1]:80', '192.0.2.7', 'my_host', ''])(
    'is not refused for the host %j',
    async (host) => {
      expect(await server.raw(`GET /tree HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 200 /u,
      );
    },
  );
});
