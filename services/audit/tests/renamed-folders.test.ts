import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';

const listedSchema = z.array(z.object({ entityName: z.string(), dfiid: z.string().nullable() }));

/** A name that is no pattern, and longer than what an index has of it. */
const hostile = `/in/%_\\"' to ${'\u{1f4c4}'.repeat(120)}`;

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let audit: RunningAudit;

beforeAll(async () => {
  rig = await createAuditRig();
  audit = await rig.start();
  await rig.record.append(steps.map(eventOf));
});
afterAll(async () => {
  await audit[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

type Fact = 'fileUploaded' | 'fileRenamed' | 'fileDownloaded' | 'fileDeleted' | 'folderRenamed';
interface Step {
  readonly fact: Fact;
  readonly path: string;
  readonly dfiid?: string;
  readonly newPath?: string;
  readonly vfs?: string;
}
const upload = (dfiid: string, path: string): Step => ({ fact: 'fileUploaded', dfiid, path });
const download = (dfiid: string, path: string): Step => ({ fact: 'fileDownloaded', dfiid, path });
const rename = (dfiid: string, path: string, newPath: string): Step => ({ fact: 'fileRenamed', dfiid, path, newPath });
const folder = (path: string, newPath: string, vfs?: string): Step => ({
  fact: 'folderRenamed',
  path,
  newPath,
  ...(vfs !== undefined && { vfs }),
});

/** What happens, one step a second. */
const steps: readonly Step[] = [
  // Two folders above a file are renamed, one after the other, and the file itself between them.
  upload('twice', '/in/day/a.csv'),
  upload('alike', '/in/day-2/a.csv'),
  folder('/in/day', '/in/monday'),
  rename('twice', '/in/monday/a.csv', '/in/monday/b.csv'),
  folder('/in', '/done'),
  // Each day, the folder is put away, and another one has its name.
  upload('first', '/now/x.csv'),
  upload('gone', '/now/gone.csv'),
  { fact: 'fileDeleted', dfiid: 'gone', path: '/now/gone.csv' },
  upload('left', '/now/left.csv'),
  rename('left', '/now/left.csv', '/left.csv'),
  folder('/now', '/past/1'),
  upload('second', '/now/x.csv'),
  folder('/now', '/past/2'),
  download('second', '/past/2/x.csv'),
  upload('third', '/now/x.csv'),
  // Of another virtual file system, and in a circle.
  folder('/there', '/now', 'others'),
  upload('foreign', '/there/x.csv'),
  upload('circle', '/one/c.csv'),
  folder('/one', '/two'),
  folder('/two', '/one'),
  upload('hostile', `${hostile}/<b>.csv`),
  folder(hostile, `${hostile}2`),
  folder(`${hostile}2`, '/plain'),
];

function eventOf({ fact, path, dfiid, newPath = path, vfs = 'files' }: Step, index: number): IdentifiedEvent {
  const payload = composeAuditEvent(fact, {
    user: 'ann',
    nodeId: 'peer1',
    managerName: 'manager1',
    entityType: fact === 'folderRenamed' ? 'Folder' : 'File',
    entityName: path,
    entityId: '7',
    ...(dfiid !== undefined && { dfiid }),
    names: { path, fileset: '7', newPath, newFileset: '7' },
  });
  const auditTime = new Date(Date.UTC(2026, 2, 1, 15, 0, index)).toISOString();
  return { id: uuidV7(), payload: { ...payload, auditTime, context: { virtualFileSystem: vfs } } };
}

/** The files of pages of two, as `dataflow instance path`. */
async function files(filters: Readonly<Record<string, string>>, query: Readonly<Record<string, string>> = {}) {
  const conditions = Object.entries(filters).map(
    ([field, value]) => `${field}="${value.replaceAll(/["\\]/gu, String.raw`\$&`)}"`,
  );
  const asked = { sort: '-auditTime', files: 'true', total: 'true', q: `{${conditions.join()}}`, ...query };
  const rows: string[] = [];
  for (let cursor: string | undefined, isMore = true; isMore; isMore = cursor !== undefined) {
    const response = await audit.client.get('/platform-application/api/v1/audit/activity', {
      query: { page: '0', limit: '2', ...asked, ...(cursor && { cursor }) },
      bearer: rig.token('Operators'),
    });
    expect(response.status, response.text).toBe(200);
    rows.push(...listedSchema.parse(response.json()).map(({ dfiid, entityName }) => `${dfiid} ${entityName}`));
    cursor = response.headers.get('x-next-cursor') ?? undefined;
    if (cursor === undefined) expect(Number(response.headers.get('x-total-count'))).toBe(rows.length);
  }
  return rows;
}

it('a file is found by its path after several renames of folders above it, and by each path that it has had', async () => {
  expect(await files({ filePath: '/done/monday/b.csv' })).toEqual(['twice /in/monday/a.csv']);
  expect(await files({ filePath: '/in/monday/b.csv' })).toEqual(['twice /in/monday/a.csv']);
  expect(await files({ filePath: '/in/day/a.csv' })).toEqual(['twice /in/day/a.csv']);
  expect(await files({ filePath: '/done/day-2/a.csv' })).toEqual(['alike /in/day-2/a.csv']);
  // It had got another name before.
  expect(await files({ filePath: '/done/monday/a.csv' })).toEqual([]);
  expect(await files({ filePath: '/in/monday/a.csv' })).toEqual(['twice /in/monday/a.csv']);
});

it('folders that take the name of one another do not mix their files', async () => {
  expect(await files({ filePath: '/past/1/x.csv' })).toEqual(['first /now/x.csv']);
  // Once, by what has happened to it since.
  expect(await files({ filePath: '/past/2/x.csv' })).toEqual(['second /past/2/x.csv']);
  expect(await files({ filePath: '/past/2/x.csv', toAuditTime: '2026-03-01T15:00:12Z' })).toEqual([
    'second /now/x.csv',
  ]);
  expect(await files({ filePath: '/past/1/gone.csv' })).toEqual([]);
  expect(await files({ filePath: '/past/1/left.csv' })).toEqual([]);
  expect(await files({ filePath: '/now/x.csv' })).toEqual([
    'third /now/x.csv',
    'second /now/x.csv',
    'first /now/x.csv',
  ]);
  expect(await files({ filePath: '/now/x.csv', virtualFileSystem: 'others' })).toEqual([]);
  expect(await files({ filePath: '/one/c.csv' })).toEqual(['circle /one/c.csv']);
  expect(await files({ filePath: '/two/c.csv' })).toEqual(['circle /one/c.csv']);
});

it('the beginning of a path finds what was in the folder before, in pages and in all orders, with other filters', async () => {
  expect(await files({ 'filePath^': '/past/' })).toEqual(['second /past/2/x.csv']);
  expect(await files({ 'filePath^': '/past/1/' })).toEqual(['first /now/x.csv']);
  expect(await files({ 'filePath^': '/done/day-' })).toEqual(['alike /in/day-2/a.csv']);
  for (const sort of ['+auditTime', '+entityName', '-id', 'auditCode', '+dfiid,-auditTime', '+correlationId'])
    expect((await files({ 'filePath^': '/done/mon' }, { sort })).toSorted(), sort).toEqual(['twice /in/monday/a.csv']);
  expect(await files({ filePath: '/done/monday/b.csv', dataoneUser: 'bob' })).toEqual([]);
  expect(await files({ filePath: '/done/monday/b.csv', dataoneUser: 'ann', dfiid: 'twice' })).toHaveLength(1);
});

it('names are no patterns, whatever they contain, and an erased rename leads nowhere', async () => {
  expect(await files({ filePath: '/plain/<b>.csv' })).toEqual([`hostile ${hostile}/<b>.csv`]);
  for (const filePath of [`${hostile}3/<b>.csv`, '/plai%/<b>.csv', '/plain', '/', '//', 'plain/<b>.csv', ''])
    expect(await files({ filePath })).toEqual([]);
  await rig.record.tamper(`UPDATE audit.records SET audit_message = '[redacted]' WHERE entity_name = '/in'`);
  expect(await files({ filePath: '/done/monday/b.csv' })).toEqual([]);
});
