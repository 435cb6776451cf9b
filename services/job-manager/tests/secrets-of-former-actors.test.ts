import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { beforeAll, expect, it } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const api = '/platform-application/api/v1';
const site = oneJobManager({ SECRET_KEYS: newKeyRingEntry() });
const apply = (actors: readonly object[]) =>
  site.platform.apply({ ...testConfiguration, actors: [...testConfiguration.actors, ...actors] });

beforeAll(() => apply([]));

const send = (method: string, path: string, json?: object) =>
  site.manager.client.request(method, `${api}/${path}`, { bearer: site.manager.admin, ...(json && { json }) });
const namesOf = async (actor: string): Promise<string[]> => {
  const listed = await send('GET', `secrets?actor=${actor}`);
  return (listed.json() as { items: { name: string }[] }).items.map(({ name }) => name);
};
const deletedSecrets = () =>
  site.platform.database.query(
    `SELECT payload ->> 'entityName' AS name, payload ->> 'dataoneUser' AS "user" FROM outbox.events
      WHERE payload ->> 'entityType' = 'Secret' AND payload ->> 'auditCode' = 'AUD0005A' ORDER BY 1`,
  );
const store = async (actor: string): Promise<void> => {
  expect((await send('POST', 'secrets', { name: 'plain', actor, value: 'v' })).status).toBe(201);
  expect((await send('POST', `connection-ssh-keys/key/generate?actor=${actor}`, {})).status).toBe(201);
};

it.each([
  ['POST', 'secrets', { name: 'x', actor: 'ghost', value: 'v' }],
  ['POST', 'secrets?dryRun=true', { name: 'x', actor: 'ghost', value: 'v' }],
  ['PUT', 'secrets/x?actor=ghost', { value: 'v' }],
  ['POST', 'connection-ssh-keys/x/generate?actor=ghost', {}],
])('are not stored for an actor that does not exist: %s %s', async (method, path, body) => {
  const refused = await send(method, path, body);
  expect([refused.status, refused.json()]).toEqual([
    400,
    expect.objectContaining({
      code: 'validation_failed',
      errors: [{ field: 'actor', message: 'there is no actor ghost: create it before its secrets' }],
    }),
  ]);
  expect(await namesOf('ghost')).toEqual([]);
});

it('are deleted and audited with an actor that is deleted over the API', async () => {
  expect((await send('POST', 'actors', { name: 'brief', type: 'Partner' })).status).toBe(201);
  await store('brief');
  const preview = await send('DELETE', 'actors/brief?dryRun=true');
  expect(preview.json()).toMatchObject({ consequences: ['Actor brief: its secrets are deleted, if it has any'] });
  expect(await namesOf('brief')).toEqual(['key', 'plain']);
  expect((await send('DELETE', 'actors/brief')).status).toBe(204);
  expect((await send('POST', 'actors', { name: 'brief', type: 'Partner' })).status).toBe(201);
  expect(await namesOf('brief')).toEqual([]);
  expect(await deletedSecrets()).toEqual([
    { name: 'brief/key', user: 'admin' },
    { name: 'brief/plain', user: 'admin' },
  ]);
});

it('are deleted with an actor that a file leaves out, and those of a name before there were any go when an actor gets it', async () => {
  await apply([{ name: 'shorter', type: 'Partner' }]);
  await store('shorter');
  await apply([]);
  await site.platform.database.query(
    `INSERT INTO secrets.secrets (owner, name, key_id, ciphertext) VALUES ('shorter', 'left', 'k', 'x')`,
  );
  await apply([{ name: 'shorter', type: 'Partner' }]);
  expect(await namesOf('shorter')).toEqual([]);
  expect((await deletedSecrets()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['shorter/key', 'shorter/left', 'shorter/plain']),
  );
});
