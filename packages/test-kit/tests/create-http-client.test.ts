import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../src/create-http-client.ts';

describe('the HTTP client', () => {
  let server: Server;
  let baseUrl: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { method, url, headers } = request;
        response.writeHead(
          418,
          [
            ['set-cookie', 'a=1; Path=/'],
            ['set-cookie', 'b=2; HttpOnly'],
          ].flat(),
        );
        response.end(JSON.stringify({ method, url, headers, body }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('returns any status and reads the body to its end', async () => {
    const response = await createHttpClient(baseUrl).get('/x', { query: { q: 'a b', n: 1 } });
    expect(response.status).toBe(418);
    expect(response.json()).toMatchObject({ method: 'GET', url: '/base/x?q=a+b&n=1' });
  });

  it('keeps the cookies it is given and sends them along', async () => {
    const client = createHttpClient(baseUrl);
    await client.get('/');
    expect((await client.post('/')).json()).toMatchObject({ headers: { cookie: 'a=1; b=2' } });
  });

  it('sends JSON, forms and bearer tokens as such', async () => {
    const client = createHttpClient(baseUrl);
    expect((await client.post('/', { json: { x: 1 }, bearer: 't' })).json()).toMatchObject({
      body: '{"x":1}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
    });
    expect((await client.put('/', { form: { user: 'ö' } })).json()).toMatchObject({
      body: 'user=%C3%B6',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    });
  });
});
