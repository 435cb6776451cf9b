import { problemSchema } from '@waybill/contracts/errors/problem';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { oneJobManager } from './test-managers.ts';

const api = '/platform-application/api/v1';
const site = oneJobManager();
const createdSchema = z.object({ id: z.number(), key: z.string() });

const codeOf = (response: HttpResponse): [number, string] => [
  response.status,
  problemSchema.parse(response.json()).code,
];

it('an API key reaches no other key and no session of its user, unless it may read and delete those of all', async () => {
  const { manager } = site;
  const create = async (json: object, bearer = manager.admin) =>
    createdSchema.parse((await manager.client.post(`${api}/api-keys`, { json, bearer })).json());
  const revoke = (id: number, bearer: string) => manager.client.request('DELETE', `${api}/api-keys/${id}`, { bearer });
  const statusWith = async (bearer: string) => (await manager.client.get('/job-manager/jobs', { bearer })).status;
  const [other, limited, ofRoles] = [
    await create({ name: 'other' }),
    await create({ name: 'limited', actors: ['acme'] }),
    await create({ name: 'of-roles', roles: ['Users'] }, manager.viewer),
  ];
  const sessions = `${api}/auth/sessions`;
  const all = await manager.client.get(sessions, { bearer: manager.admin });
  const sessionOf = (name: string) =>
    z
      .object({ items: z.array(z.object({ id: z.number(), user: z.string() })) })
      .parse(all.json())
      .items.find(({ user }) => user === name)?.id;
  for (const [{ id, key }, user] of [
    [limited, 'admin'],
    [ofRoles, 'viewer'],
  ] as const) {
    expect((await manager.client.get(`${api}/api-keys`, { bearer: key })).json()).toMatchObject({
      items: [{ id, user }],
    });
    expect(codeOf(await revoke(other.id, key))).toEqual([404, 'entity_unknown']);
    expect(codeOf(await manager.client.get(sessions, { bearer: key }))).toEqual([403, 'not_permitted']);
    const ended = await manager.client.request('DELETE', `${sessions}/${sessionOf(user) ?? 0}`, { bearer: key });
    expect(codeOf(ended)).toEqual([403, 'not_permitted']);
    expect((await revoke(id, key)).status).toBe(204);
  }
  expect([await statusWith(manager.admin), await statusWith(manager.viewer)]).toEqual([200, 200]);
  expect((await manager.client.get(sessions, { bearer: other.key })).status).toBe(200);
  expect((await revoke(other.id, other.key)).status).toBe(204);
});
