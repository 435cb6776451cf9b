import { readFileSync } from 'node:fs';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { createClient } from '@waybill/platform-client/create-client';
import { accessToken } from '@waybill/platform-client/credentials/credentials';
import { release } from '@waybill/platform-client/requests/release';
import { expect, it } from 'vitest';
import { json, startScriptedServer } from './scripted-server.ts';

it.each(['client', 'command-line'])('the version of the release is that of the package %s', (name) => {
  const manifest = readFileSync(new URL(`../../${name}/package.json`, import.meta.url), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ version: release });
});

it.each([
  [{}, `waybill-client/${release}`],
  [{ userAgent: 'ledger/4.2' }, 'ledger/4.2'],
])('a client names its program in every request: %j', async (options, expected) => {
  await using server = await startScriptedServer([json(200, { queues: [] })]);
  await using client = createClient({ url: server.url, credentials: accessToken('t'), ...options });
  await client.call(listQueuesEndpoint);
  expect(server.headers.map((each) => each['user-agent'])).toEqual([expected]);
});
