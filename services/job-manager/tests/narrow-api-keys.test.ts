import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { problemSchema } from '@waybill/contracts/errors/problem';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { describe, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';
import { runWaybill } from './waybill-command.ts';

const api = '/platform-application/api/v1';
const jobs = '/job-manager/jobs';

const site = oneJobManager();

interface Created {
  readonly id: number;
  readonly key: string;
}

const post = (json: object, bearer = site.manager.admin) =>
  site.manager.client.post(`${api}/api-keys`, { json, bearer });
const create = async (json: object, bearer?: string): Promise<Created> => {
  const response = await post(json, bearer);
  expect(response.status, response.text).toBe(201);
  return response.json() as Created;
};
const statusWith = async (bearer: string, address = jobs): Promise<number> =>
  (await site.manager.client.get(address, { bearer })).status;
const codeOf = (response: HttpResponse): [number, string] => [
  response.status,
  problemSchema.parse(response.json()).code,
];

describe('an API key', () => {
  it('does not change the password of its owner, whatever it may do', async () => {
    const json = { currentPassword: 'admin-demo', newPassword: 'correct horse battery' };
    const keys = [await create({ name: 'wide' }), await create({ name: 'operates', roles: ['Operators'] })];
    for (const { key: bearer } of keys) {
      const refused = await site.manager.client.post(`${api}/auth/password`, { json, bearer });
      expect(codeOf(refused)).toEqual([403, 'not_permitted']);
    }
  });
});

it('waybill api-key creates, lists and revokes keys', async () => {
  await using folder = await createTestFolder();
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, `${site.manager.admin}\n`);
  const run = (...args: readonly string[]) =>
    runWaybill('api-key', ...args, '--url', site.manager.url, '--token', token);
  const created = await run('create', 'from-cli', '--roles', 'Administrators', '--networks', '127.0.0.1, ::1');
  expect(created.code, created.out).toBe(0);
  const key = created.out.trim();
  expect(await statusWith(key)).toBe(200);
  const [head = '', ...lines] = (await run('list')).out.split('\n');
  expect(head).toMatch(/^NUMBER +USER +NAME +ROLES +PERMISSIONS +ACTORS +EXPIRES +LAST USE$/u);
  const line = lines.find((text) => text.includes('from-cli')) ?? '';
  expect(line).toMatch(/^\d+ +admin +from-cli +Administrators +all +\S+Z +\S+Z$/u);
  const id = line.split(' ')[0] ?? '';
  expect(await run('revoke', id)).toEqual({ code: 0, out: `The API key ${id} was revoked.\n` });
  const other: unknown = JSON.parse((await run('create', 'as-json', '--actors', 'acme', '--json')).out);
  expect(other).toMatchObject({ id: expect.any(Number), key: expect.any(String), actors: ['acme'] });
  const number = String((other as { id: number }).id);
  expect(JSON.parse((await run('revoke', number, '--json')).out)).toEqual({ id: Number(number), revoked: true });
  expect(await run('revoke', 'x')).toMatchObject({ code: 2, out: expect.stringContaining('x is not the number of') });
  await expect.poll(() => statusWith(key)).toBe(401);
  const again = await run('revoke', id);
  expect([again.code, again.out]).toEqual([1, expect.stringContaining('`waybill api-key list` shows them.')]);
});
