import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect } from 'vitest';
import { changedConfiguration } from './configuration.ts';
import { type Doors, doneBefore, rowOf, type Rows } from './row.ts';

const operator = userInfo().username;
const row = rowOf('command line', operator);
const byPlatform = rowOf('platform', '');
const afterOf = (places: Record<string, unknown>) => ({
  difference: expect.stringContaining(JSON.stringify(places).slice(1, -1)),
});

/** Applies a configuration with another entity, another value, another password, and one entity less. */
async function apply({ platform, waybill }: Doors): Promise<void> {
  const file = join(platform.folder, 'changed.yaml');
  await writeFile(file, await changedConfiguration());
  const printed = await waybill('apply', file);
  expect(printed).toContain('globex-archive');
}

/** Damages the stored content of a file, and verifies all files. */
async function verifyDamagedFile({ platform, partner, waybill }: Doors): Promise<void> {
  const content = `a content to be damaged ${randomUUID()}`;
  await partner.put('/2.0/files/inbox/damaged', { body: content });
  const blobs = globSync(join(platform.folder, 'blobs', '**', '*'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const blob of blobs) {
    if ((await readFile(blob, 'utf8')).includes(content)) await writeFile(blob, content.toUpperCase());
  }
  await waybill('files', 'verify');
}

/** Sets an event aside, as the relay does after all its tries, and makes it due again. */
async function retryStuckEvent({ platform, waybill }: Doors): Promise<void> {
  const db = connectPostgres({ url: platform.databaseUrl, applicationName: 'end-to-end test' });
  const names = {
    entityType: 'Folder',
    entityName: '/set-aside',
    entityId: '/set-aside',
    names: { path: '/set-aside' },
  };
  const payload = composeAuditEvent('folderCreated', {
    user: 'acme',
    nodeId: 'peer1',
    managerName: 'manager1',
    ...names,
  });
  try {
    await db('outbox.events').insert({
      id: randomUUID(),
      topic: 'audit-event',
      payload: JSON.stringify(payload),
      attempts: 20,
      next_attempt_at: 'infinity',
    });
  } finally {
    await db.destroy();
  }
  expect(await waybill('audit', 'stuck', '--retry')).toContain('1 events will be tried again');
}

/** Changes the key that signs the audit log. The record is the first that the new key signs. */
async function rotateKey({ waybill, platform }: Doors): Promise<void> {
  expect(await waybill('signing-keys', 'add', 'audit')).toContain('is the next key');
  expect(await waybill('signing-keys', 'activate', 'audit', '--now')).toContain('is the active key');
  await waitFor(
    async () =>
      (
        await platform.http().get('/platform-application/api/v1/audit/keys', { bearer: await platform.adminToken() })
      ).text
        .trim()
        .split('\n').length > 1,
    { what: 'the new key of the audit log' },
  );
}

/** What an operator does with `waybill`, in this order. */
export const rowsOfCommands: Rows = {
  'the configuration creates a virtual file system': row(
    'AUD0001A CREATE globex-archive',
    apply,
    afterOf({ name: 'globex-archive' }),
  ),
  'the configuration changes a user': row('AUD0003A MODIFY viewer', doneBefore, {
    difference: JSON.stringify({ before: { roles: ['Users'] }, after: { roles: ['Auditors'] } }),
  }),
  'the configuration deletes a user': row('AUD0005A DELETE leaver', doneBefore, {
    difference: expect.stringMatching(/^\{"before":\{.*"name":"leaver"/u),
  }),
  'the configuration changes a password': row('AUD0010A PASSWORD_CHANGE viewer', doneBefore),
  'an administrator is recovered': row(
    'AUD0018A MODIFY rescue',
    ({ waybill }) => waybill('recover-administrator', 'rescue', '--reason', 'a rehearsal'),
    { reason: 'a rehearsal' },
  ),
  'a damaged file is found': row('AUD0045A MODIFY /inbox/damaged', verifyDamagedFile),
  'files are verified': row('AUD0049A MODIFY all_files findings', doneBefore),
  'events that were set aside are tried again': row('AUD0123A MODIFY *', retryStuckEvent),
  'an event that was set aside is recorded': rowOf('platform', 'acme')(
    'AUD0051A SERVER_CREATE_DIR /set-aside',
    doneBefore,
  ),
  'a signing key is created': row('AUD0001A CREATE audit', rotateKey),
  'a signing key is activated': row('AUD0003A MODIFY audit', doneBefore),
  'the audit log is signed by the new key': byPlatform('AUD0111A MODIFY *', doneBefore),
  'an anchor of the audit log is enabled': rowOf('platform', operator)('AUD0106A MODIFY *', doneBefore),
};
