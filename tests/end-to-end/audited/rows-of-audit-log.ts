import { waitFor } from '@waybill/test-kit/wait-for';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Doors, rowOf, type Rows } from './row.ts';

const row = rowOf('management', 'admin');
const ofViewer = rowOf('management', 'viewer');
const withoutToken = rowOf('management', '');
const audit = '/platform-application/api/v1/audit';
const reason = 'as planned';

/** The hold that is placed and released. */
let hold = '';

async function placeHold({ manager, token }: Doors): Promise<void> {
  const placed = await manager.post(`${audit}/holds`, { bearer: token, json: { first: 1, last: 2, reason } });
  hold = z.object({ id: z.string() }).parse(placed.json()).id;
}

/** Erases the path of a file from its record. */
async function erase({ partner, manager, token }: Doors): Promise<void> {
  await partner.put('/2.0/files/inbox/forgotten', { body: 'content' });
  const json = {
    q: '{entityName="/inbox/forgotten"}',
    fields: ['entityName', 'auditMessage'],
    reason,
  };
  await waitFor(
    async () => {
      const answer = await manager.post(`${audit}/redactions`, { bearer: token, json });
      return z.object({ records: z.int() }).parse(answer.json()).records === 1;
    },
    { what: 'the record that is erased' },
  );
}

/** Reading and managing the audit log, in this order. */
export const rowsOfAuditLog: Rows = {
  'the audit log is read': row('AUD0117A MODIFY listAuditRecords', ({ manager, token }) =>
    manager.get(`${audit}/logs`, { bearer: token, query: { page: 0 } }),
  ),
  'the audit log is read without a token': withoutToken(
    'AUD0014A LOGIN listAuditRecords not_authenticated',
    ({ manager }) => manager.get(`${audit}/logs`, { query: { page: 0 } }),
  ),
  'the audit log is read by a user whose role does not permit it': ofViewer(
    'AUD0015A MODIFY listAuditRecords not_permitted',
    ({ manager, viewerToken }) => manager.get(`${audit}/logs`, { bearer: viewerToken, query: { page: 0 } }),
  ),
  'the audit log is exported': row('AUD0118A MODIFY exportAuditRecords_csv', ({ manager, token }) =>
    manager.get(`${audit}/export`, { bearer: token, query: { format: 'csv' } }),
  ),
  'the audit log is exported by a user whose role does not permit it': ofViewer(
    'AUD0015A MODIFY exportAuditRecords not_permitted',
    ({ manager, viewerToken }) => manager.get(`${audit}/export`, { bearer: viewerToken }),
  ),
  'the audit log is verified': row('AUD0119A MODIFY verifyAuditRecord success', ({ manager, token }) =>
    manager.get(`${audit}/verification`, { bearer: token }),
  ),
  'the audit log is verified without a token': withoutToken(
    'AUD0014A LOGIN verifyAuditRecord not_authenticated',
    ({ manager }) => manager.get(`${audit}/verification`),
  ),
  'records are placed on hold': row('AUD0121A CREATE records_from_number_1_to_number_2', placeHold, { reason }),
  'records are placed on hold by a user whose role does not permit it': ofViewer(
    'AUD0015A MODIFY placeAuditHold not_permitted',
    ({ manager, viewerToken }) => manager.post(`${audit}/holds`, { bearer: viewerToken, json: { first: 1, reason } }),
  ),
  'a hold is released': row(
    'AUD0122A DELETE records_from_number_1_to_number_2',
    ({ manager, token }) => manager.post(`${audit}/holds/${hold}/release`, { bearer: token, json: { reason } }),
    { reason },
  ),
  'a hold is not released twice': row('AUD0015A MODIFY releaseAuditHold audit_hold_unknown', ({ manager, token }) =>
    manager.post(`${audit}/holds/${hold}/release`, { bearer: token, json: { reason } }),
  ),
  'personal values are erased': row('AUD0113A MODIFY *', erase, { reason: expect.stringContaining(reason) }),
  'personal values are erased by a user whose role does not permit it': ofViewer(
    'AUD0015A MODIFY redactAuditRecords not_permitted',
    ({ manager, viewerToken }) => manager.post(`${audit}/redactions`, { bearer: viewerToken, json: {} }),
  ),
};
