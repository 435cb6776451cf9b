import { beforeAll, describe, expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { jobIn } from './claimable.ts';
import type { ShownJob } from './start-test-job-manager.ts';
import { testSite } from './start-test-platform.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager({ ROLE: 'api' });
const path = '/job-manager/jobs';
const get = (query: Readonly<Record<string, string>>) =>
  site.manager.client.get(path, { bearer: site.manager.admin, query });
const timeForm =
  'must be a time of the years 1 to 9999 in ISO 8601, with seconds and an offset, such as 2026-03-02T10:00:00+01:00';
const cursor = (json: string): string => Buffer.from(json).toString('base64url');

beforeAll(async () => {
  for (const queue of ['a', 'b']) {
    await createKnexJobRegister(site.platform.db, { site: testSite }).add(jobIn(queue));
  }
});

describe('a listing', () => {
  it.each([
    '--id',
    'id,status',
    'ID',
    'dfiid',
    'constructor',
    '',
    '+',
    'id DESC',
    '-id; DROP TABLE jobs.jobs',
    '+id\0',
    'x'.repeat(5_000),
  ])('is not sorted by %j', async (sort) => expectRefusal(await get({ sort }), 'sort'));

  it.each(['0', '-1', '1001', 'abc', '', '1.5', 'NaN', 'Infinity', '99999999999999999999', '1_000', '0x10', ' 5'])(
    'does not have pages of %j jobs',
    async (maxItems) => expectRefusal(await get({ maxItems }), 'maxItems'),
  );

  it.each([
    ['maxItems=0', 'maxItems: must be at least 1'],
    ['maxItems=1001', 'maxItems: must be at most 1000'],
    ['maxItems=99999999999999999999', 'maxItems: must be at most 9007199254740991'],
    ['maxItems=ten', 'maxItems: is not a whole number'],
    ['maxItems=1&maxItems=2', 'maxItems: occurs more than once'],
    ['id=0', 'id: must be at least 1'],
    ['cursor=x', 'cursor: is not one of this listing: follow `next` links as they are'],
    ['queue=%ff', 'queue: is not in UTF-8'],
    ['createdAtFrom=10000-01-01T00:00:00Z', `createdAtFrom: ${timeForm}`],
    ['updatedAtTo=2026-03-02', `updatedAtTo: ${timeForm}`],
  ])('with %s is refused with a message that says why', async (query, detail) => {
    const response = await site.manager.client.get(`${path}?${query}`, { bearer: site.manager.admin });
    expect(response.json()).toMatchObject({ status: 400, code: 'validation_failed', detail });
  });

  it.each(['1', '999', '1000'])('has pages of %s jobs', async (maxItems) => {
    expect(((await get({ maxItems })).json() as { jobs: ShownJob[] }).jobs).toHaveLength(Math.min(Number(maxItems), 2));
  });

  it.each([
    ['id', ''],
    ['id', 'A'.repeat(2_049)],
    ['id', '../../etc'],
    ['id', cursor('["1",0]')],
    ['id', cursor('["1",-1]')],
    ['id', cursor('["1",1.5]')],
    ['id', cursor('["1",1e300]')],
    ['id', cursor('["1","1"]')],
    ['id', cursor('["1"]')],
    ['id', cursor('["1",1,1]')],
    ['id', cursor('[1,1]')],
    ['id', cursor('[null,1]')],
    ['id', cursor('{"value":"1","id":1}')],
    ['id', cursor('["1 OR 1=1",1]')],
    ['id', cursor('["9999999999999999999999",1]')],
    ['id', cursor('["-1",1]')],
    ['id', cursor('[["1"],1]')],
    ['id', cursor('["1",1]').slice(0, -3)],
    ['queue', cursor('["a\\u0000",1]')],
    ['queue', cursor('["\\ud800",1]')],
    ['workflowTemplateRevision', cursor('["one",1]')],
    ['createdAt', cursor('["infinity",1]')],
    ['updatedAt', cursor('["2026-13-01T00:00:00Z",1]')],
    ['updatedAt', cursor('["0000-01-01T00:00:00Z",1]')],
    ['updatedAt', cursor('["now",1]')],
  ])('sorted by %s does not begin at the cursor %j', async (sort, text) => {
    expectRefusal(await get({ sort, cursor: text }), 'cursor');
  });

  it('begins after the place of a cursor whose job has never been', async () => {
    const place = cursor(JSON.stringify(['zzz', Number.MAX_SAFE_INTEGER]));
    expect(((await get({ sort: '-queue', cursor: place })).json() as { jobs: ShownJob[] }).jobs).toHaveLength(2);
    expect((await get({ sort: '+queue', cursor: place })).json()).toEqual({ jobs: [] });
  });

  const texts = ["' OR '1'='1", "'; DROP TABLE jobs.jobs; --", '%', '_', '\\', '?', ':id', '$1', '\u{1F600}', ' ', ''];
  it.each([
    'queue',
    'contract',
    'workflowTemplateName',
    'extIPID',
    'dfiid',
    'lcid',
    'actor',
    'contractAction',
    'contractType',
    'contractActionTrigger',
  ])('takes any text as a value of %s, and as no more', async (name) => {
    const long = name === 'extIPID' ? [] : ['x'.repeat(7_000)];
    for (const value of [...texts, ...long]) {
      const response = await get({ [name]: value });
      expect([response.status, response.json()], value).toEqual([200, { jobs: [] }]);
    }
    expectRefusal(await get({ [name]: 'a\0b' }), name);
  });

  it.each(['createdAtFrom', 'createdAtTo', 'updatedAtFrom', 'updatedAtTo'])('takes no %s but a time', async (name) => {
    const wrong = ['2026-02-30T00:00:00Z', '1e9', 'now', 'infinity', '2026-03-02T10:00:00', '2026-03-02', '', '-1'];
    for (const value of wrong) expectRefusal(await get({ [name]: value }), name);
    const edges = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-03-02T10:00:00.123456789+14:00'];
    for (const value of edges) expect((await get({ [name]: value })).status, value).toBe(200);
  });

  it.each(['id', 'workflowTemplateId', 'workflowTemplateRevision'])('takes no %s but a number', async (name) => {
    for (const value of ['0', '-1', '1.0', 'one', '', '99999999999999999999', '1 OR 1=1']) {
      expectRefusal(await get({ [name]: value }), name);
    }
    expect((await get({ [name]: '9007199254740991' })).json()).toEqual({ jobs: [] });
  });
});

function expectRefusal(response: { status: number; json(): unknown }, field: string): void {
  expect(response.status).toBe(400);
  const { code, errors } = response.json() as { code: string; errors: { field: string }[] };
  expect([code, ...new Set(errors.map((error) => error.field))]).toEqual(['validation_failed', field]);
}
