import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints, type EndpointName, failureOf, requests } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme', 'initech'] });

beforeAll(async () => {
  await site.acme.put('/2.0/files/inbox/there.txt', { multipart: formOf('x') });
  await site.rig.plant('acme-files', '/outbox/out.txt', 'x');
  await site.rig.plant('acme-files', '/private/hidden.txt', 'x');
  await site.rig.plant('acme-files', '/drop/dropped.txt', 'x');
});

describe('401 authentication: Invalid username or password', () => {
  test.each([
    ['a wrong password', { username: 'acme', password: 'wrong' }],
    ['an unknown user', { username: 'nobody', password: 'acme-demo' }],
    ['a name with a NUL character', { username: 'ac\0me', password: 'acme-demo' }],
    ['a name that is too long', { username: 'a'.repeat(10_000), password: 'acme-demo' }],
  ])('D1 with %s', async (_what, form) => {
    const answer = await createHttpClient(site.peer.url).post('/2.0/login/basic', { form });
    expect(failureOf(answer)).toEqual([401, 'authentication', 'Invalid username or password']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Cookie .*"\/2\.0\/login\/basic"/u);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test.each(allEndpoints)('%s without cookies, before any other error', async (endpoint) => {
    for (const path of ['/%00?limit=x', '/data/%FF', '/%zz']) {
      const answer = await requests[endpoint](createHttpClient(site.peer.url), path);
      expect(failureOf(answer)).toEqual([401, 'authentication', 'Invalid username or password']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Cookie /u);
    }
  });
});

describe('404 request_syntax: No username or password', () => {
  test.each<[string, object]>([
    ['no password', { form: { username: 'acme' } }],
    ['no username', { form: { password: 'acme-demo' } }],
    ['empty values', { form: { username: '', password: '' } }],
    ['no body', {}],
    ['JSON', { json: { username: 'acme', password: 'acme-demo' } }],
    ['a repeated parameter', { body: 'username=a&username=b&password=c' }],
  ])('D1 with %s', async (_what, options) => {
    const answer = await createHttpClient(site.peer.url).post('/2.0/login/basic', options);
    expect(failureOf(answer)).toEqual([404, 'request_syntax', 'No username or password']);
  });
});

describe('401 configuration: Connection contract not configured', () => {
  test.each(allEndpoints)('%s of a user without one, before any other error', async (endpoint) => {
    for (const path of ['/a//b?limit=x', '//a', '/a%2Fb', '/data/%FF', '/%zz']) {
      const answer = await requests[endpoint](site.initech, path);
      expect(failureOf(answer)).toEqual([401, 'configuration', 'Connection contract not configured']);
    }
  });
});

describe('403 authorization', () => {
  test.each<[EndpointName, string, string]>([
    ['D2', '/outbox/new.txt', 'No write permission'],
    ['D2', '/outbox/out.txt', 'No write permission'],
    ['D3', '/outbox', 'No write permission'],
    ['D6', '/outbox/out.txt', 'No write permission'],
    ['D4', '/private/hidden.txt', 'No read permission'],
    ['D7', '/private/hidden.txt', 'No read permission'],
    ['D4', '/drop/dropped.txt', 'No read permission'],
    ['D5', '/outbox/out.txt', 'No delete permission'],
    ['D8', '/private', 'No list permission'],
    ['D9', '/drop', 'No list permission'],
  ])('%s of %s: %s', async (endpoint, path, message) => {
    expect(failureOf(await requests[endpoint](site.acme, path))).toEqual([403, 'authorization', message]);
  });

  test.each<[EndpointName, string, string, string]>([
    ['D4', '/private/hidden.txt', '/private/none.txt', 'No read permission'],
    ['D4', '/private/secret/x.txt', '/private/none/x.txt', 'No read permission'],
    ['D2', '/private/secret/x.txt', '/private/none/x.txt', 'No write permission'],
    ['D3', '/private/secret', '/private/none', 'No write permission'],
    ['D6', '/private/hidden.txt', '/private/none.txt', 'No write permission'],
    ['D6', '/private/secret/x.txt', '/private/none/x.txt', 'No write permission'],
    ['D5', '/private/secret', '/private/none', 'No delete permission'],
    ['D7', '/private/secret', '/private/none', 'No read permission'],
    ['D9', '/private/secret', '/private/none', 'No list permission'],
    ['D8', '/private/hidden.txt', '/private/none', 'No list permission'],
  ])(
    '%s gets the same response for %s, which exists, and %s, which does not',
    async (endpoint, there, missing, message) => {
      for (const path of [there, missing]) {
        expect(failureOf(await requests[endpoint](site.acme, path))).toEqual([403, 'authorization', message]);
      }
    },
  );

  test('D6 of a user who may only upload gets the same response for the file of another user and a missing one', async () => {
    for (const name of ['dropped.txt', 'none.txt']) {
      const failure = [404, 'io', `File '${name}' doesn't exist`];
      expect(failureOf(await requests.D6(site.acme, `/drop/${name}`))).toEqual(failure);
    }
  });

  test('a user who may only upload can do so without learning what is there', async () => {
    expect((await requests.D2(site.acme, '/drop/more.txt')).status).toBe(201);
    expect((await requests.D3(site.acme, '/drop')).status).toBe(201);
  });
});

describe('404 io', () => {
  test.each<[EndpointName, string, string]>([
    ['D4', '/inbox/none.txt', "File 'none.txt' doesn't exist"],
    ['D5', '/inbox/none.txt', "File 'none.txt' doesn't exist"],
    ['D6', '/inbox/none.txt', "File 'none.txt' doesn't exist"],
    ['D7', '/inbox/none.txt', "none.txt doesn't exist"],
    ['D2', '/inbox/none/a.txt', "Path '/inbox/none' doesn't exist"],
    ['D3', '/inbox/none', "Path '/inbox/none' doesn't exist"],
    ['D4', '/none/a.txt', "Path '/none' doesn't exist"],
    ['D5', '/inbox/none/a.txt', "Path '/inbox/none' doesn't exist"],
    ['D6', '/inbox/none/deeper/a.txt', "Path '/inbox/none/deeper' doesn't exist"],
    ['D7', '/inbox/none/a.txt', "Path '/inbox/none' doesn't exist"],
    ['D2', '/inbox/there.txt/a.txt', "Path '/inbox/there.txt' doesn't exist"],
    ['D8', '/inbox/none', "Path doesn't exist"],
    ['D9', '/inbox/none', "Path doesn't exist"],
    ['D9', '/inbox/there.txt', "Path doesn't exist"],
  ])('%s of %s: %s', async (endpoint, path, message) => {
    expect(failureOf(await requests[endpoint](site.acme, path))).toEqual([404, 'io', message]);
  });
});

describe('failures outside the interface', () => {
  test('an unknown address, another method, and broken percent-encoding are answered in its form', async () => {
    expect(fileFailureSchema.parse((await site.acme.get('/2.0/nothing')).json())).toMatchObject({
      errorType: 'request_syntax',
    });
    const patched = await site.acme.request('PATCH', '/2.0/files/inbox/there.txt');
    expect([patched.status, patched.headers.get('allow')]).toEqual([405, 'PUT, POST, GET, HEAD, DELETE']);
    const broken = await site.acme.get('/2.0/files/inbox/%zz');
    expect([broken.status, fileFailureSchema.parse(broken.json()).errorType]).toEqual([400, 'request_syntax']);
  });
});
