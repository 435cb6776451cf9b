import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { newPathOf } from '@waybill/contracts/messages/new-path-of';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';

const listedSchema = z.array(
  z.object({ entityName: z.string(), dfiid: z.string().nullable(), newPath: z.string().nullable() }),
);
const hostile = `/in/x FilesetId 7 to /%_\\"' FilesetId 9 {newPath} $1 ${'\u{1f4c4}'.repeat(130)}`;

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let audit: RunningAudit;

beforeAll(async () => {
  rig = await createAuditRig();
  audit = await rig.start();
  await rig.record.append(events());
});
afterAll(async () => {
  await audit[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

type Step = readonly [
  dfiid: string,
  fact: 'fileUploaded' | 'fileRenamed' | 'fileDownloaded',
  path: string,
  newPath?: string,
];

/** What happens to files, one step a second. */
const steps: readonly Step[] = [
  // A chain of names.
  ['chain', 'fileUploaded', '/in/a.part'],
  ['chain', 'fileRenamed', '/in/a.part', '/in/b <i>.csv'],
  ['chain', 'fileRenamed', '/in/b <i>.csv', '/done/c.csv'],
  // Another file takes the first name.
  ['other', 'fileUploaded', '/in/a.part'],
  // Nothing has happened under the new name.
  ['still', 'fileUploaded', '/in/d.part'],
  ['still', 'fileRenamed', '/in/d.part', '/in/d.csv'],
  ['read', 'fileUploaded', '/in/e.part'],
  ['read', 'fileRenamed', '/in/e.part', '/in/e.csv'],
  ['read', 'fileDownloaded', '/in/e.csv'],
  // There and back, and a move that keeps the name.
  ['back', 'fileUploaded', '/in/f.csv'],
  ['back', 'fileRenamed', '/in/f.csv', '/in/g.csv'],
  ['back', 'fileRenamed', '/in/g.csv', '/in/f.csv'],
  ['moved', 'fileUploaded', '/in/h.csv'],
  ['moved', 'fileRenamed', '/in/h.csv', '/done/h.csv'],
  // A job makes another file of the first name in the same dataflow instance.
  ['twice', 'fileUploaded', '/in/i.csv'],
  ['twice', 'fileRenamed', '/in/i.csv', '/in/j.csv'],
  ['twice', 'fileUploaded', '/in/i.csv'],
  ['hostile', 'fileRenamed', hostile, `${hostile}1`],
];

function events(): IdentifiedEvent[] {
  const folder = composeAuditEvent('folderRenamed', {
    user: 'ann',
    nodeId: 'peer1',
    managerName: 'manager1',
    entityType: 'Folder',
    entityName: '/old',
    entityId: '9',
    names: { path: '/old', newPath: '/new/h.csv' },
  });
  const files = steps.map(([dfiid, fact, path, newPath = path], index) => {
    const payload = composeAuditEvent(fact, {
      user: 'ann',
      nodeId: 'peer1',
      managerName: 'manager1',
      entityType: 'File',
      entityName: path,
      entityId: '7',
      dfiid,
      names: { path, fileset: '7', newPath, newFileset: '7' },
    });
    const auditTime = new Date(Date.UTC(2026, 2, 1, 15, 0, index)).toISOString();
    return { id: uuidV7(), payload: { ...payload, auditTime, context: { virtualFileSystem: 'files' } } };
  });
  return [...files, { id: uuidV7(), payload: folder }];
}

/** The records of pages of two, as `dataflow instance path > new path`. */
async function found(filters: Readonly<Record<string, string>>, query: Readonly<Record<string, string>> = {}) {
  const conditions = Object.entries(filters).map(
    ([field, value]) => `${field}="${value.replaceAll(/["\\]/gu, String.raw`\$&`)}"`,
  );
  const rows: string[] = [];
  for (let cursor: string | undefined, isMore = true; isMore; isMore = cursor !== undefined) {
    const response = await audit.client.get('/platform-application/api/v1/audit/activity', {
      query: {
        page: '0',
        limit: '2',
        sort: '+auditTime',
        q: `{${conditions.join()}}`,
        ...query,
        ...(cursor && { cursor }),
      },
      bearer: rig.token('Operators'),
    });
    expect(response.status, response.text).toBe(200);
    rows.push(
      ...listedSchema
        .parse(response.json())
        .map(({ dfiid, entityName, newPath }) => `${dfiid} ${entityName}${newPath === null ? '' : ` > ${newPath}`}`),
    );
    cursor = response.headers.get('x-next-cursor') ?? undefined;
  }
  return rows;
}

const files = (filters: Readonly<Record<string, string>>) => found(filters, { files: 'true' });

it('a file is found by each name that it has had, whether or not something has happened since', async () => {
  for (const of of ['fileName', 'filePath'] as const) {
    const at = (name: string) => files({ [of]: of === 'filePath' ? name : existing(name.split('/').at(-1)) });
    expect(await at('/in/d.part')).toEqual(['still /in/d.part > /in/d.csv']);
    expect(await at('/in/d.csv')).toEqual(['still /in/d.part > /in/d.csv']);
    expect(await at('/in/e.part')).toEqual(['read /in/e.part > /in/e.csv']);
    expect(await at('/in/e.csv')).toEqual(['read /in/e.csv']);
  }
});

it('a chain of names is one file, and another file of the first name is another one', async () => {
  const [first, second] = ['chain /in/a.part > /in/b <i>.csv', 'chain /in/b <i>.csv > /done/c.csv'];
  expect(await files({ fileName: 'a.part' })).toEqual([first, 'other /in/a.part']);
  for (const fileName of ['b <i>.csv', 'c.csv']) expect(await files({ fileName })).toEqual([second]);
  expect(await files({ dfiid: 'chain' })).toEqual([second]);
  expect(await found({ dfiid: 'chain' })).toEqual(['chain /in/a.part', first, second]);
  expect(await files({ filePath: '/in/a.part', dfiid: 'other' })).toEqual(['other /in/a.part']);
  // What a job makes with the former name in the same dataflow instance is another file.
  expect(await files({ dfiid: 'twice' })).toEqual(['twice /in/i.csv > /in/j.csv', 'twice /in/i.csv']);
  expect(await files({ fileName: 'j.csv' })).toEqual(['twice /in/i.csv > /in/j.csv']);
});

it('a record that matches by both of its names is listed once, and a file that has got its name back is one', async () => {
  expect(await found({ fileName: 'h.csv' })).toEqual(['moved /in/h.csv', 'moved /in/h.csv > /done/h.csv']);
  expect(await files({ fileName: 'h.csv' })).toEqual(['moved /in/h.csv > /done/h.csv']);
  for (const fileName of ['f.csv', 'g.csv']) expect(await files({ fileName })).toEqual(['back /in/g.csv > /in/f.csv']);
  expect(await files({ dfiid: 'back' })).toEqual(['back /in/g.csv > /in/f.csv']);
});

it('names are compared as a whole, with the beginning, and in all orders, whatever they contain', async () => {
  for (const filePath of [hostile, `${hostile}1`])
    expect(await files({ filePath })).toEqual([`hostile ${hostile} > ${hostile}1`]);
  for (const filePath of [`${hostile}2`, `${hostile}11`, '/in/d', '', "' OR true --"])
    expect(await files({ filePath })).toEqual([]);
  for (const sort of ['-auditTime', '+entityName', '-id', 'auditCode', '+dfiid,-auditTime', '+correlationId'])
    expect((await found({ 'filePath^': '/in/d' }, { sort })).toSorted(), sort).toEqual([
      'still /in/d.part',
      'still /in/d.part > /in/d.csv',
    ]);
  expect(await files({ 'fileName^': 'd.', dfiid: 'still' })).toEqual(['still /in/d.part > /in/d.csv']);
  expect(await files({ filePath: '/in/d.csv', toAuditTime: '2026-03-01T15:00:04Z' })).toEqual([]);
});

it('a renamed folder is found by both of its paths, and is no file; `entityName` remains what the record names', async () => {
  for (const filePath of ['/old', '/new/h.csv']) {
    expect(await found({ filePath })).toEqual(['null /old > /new/h.csv']);
    expect(await files({ filePath })).toEqual([]);
  }
  expect(await found({ entityName: '/new/h.csv' })).toEqual([]);
  expect(await found({ entityName: '/in/d.csv' })).toEqual([]);
});

it('the new path in SQL is the one of the program, and none once it was erased', async () => {
  const { rows } = await rig.record.db.raw<{ rows: Record<string, string>[] }>(
    `SELECT audit_code, entity_name, entity_id, audit_message,
       audit.new_path_of(audit_code, entity_name, entity_id, audit_message) AS path FROM audit.records`,
  );
  expect(rows.map(({ path }) => path ?? undefined)).toEqual(
    rows.map((row) =>
      newPathOf({
        auditCode: row['audit_code'] ?? '',
        entityName: row['entity_name'] ?? '',
        entityId: row['entity_id'] ?? '',
        auditMessage: row['audit_message'] ?? '',
      }),
    ),
  );
  expect(rows.filter(({ path }) => path !== null).length).toBeGreaterThan(8);
  await rig.record.tamper(`UPDATE audit.records SET audit_message = '[redacted]' WHERE dfiid = 'still'`);
  expect(await files({ fileName: 'd.csv' })).toEqual([]);
});
