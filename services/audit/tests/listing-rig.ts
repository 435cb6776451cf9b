import type { BuiltInRole } from '@waybill/contracts/roles/built-in-roles';
import { auditRecordSchema, type AuditRecord } from '@waybill/contracts/values/audit-record';
import { expect } from 'vitest';
import { z } from 'zod';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { createAuditRig } from './audit-rig.ts';

/** The parameters of a list. */
export type ListingQuery = Readonly<Record<string, string | number>>;

/** The address of the list. */
export const listingPath = '/platform-application/api/v1/audit/logs';

/** An audit service with these records, and a user who lists them. */
export async function createListingRig(role: BuiltInRole, events: readonly IdentifiedEvent[]) {
  await using stack = new AsyncDisposableStack();
  const rig = stack.use(await createAuditRig());
  const audit = stack.use(await rig.start());
  const token = rig.token(role);
  await rig.record.append(events);
  const ask = (query: ListingQuery, bearer: string | undefined = token) =>
    audit.client.get(listingPath, { query, ...(bearer !== undefined && { bearer }) });
  /** A page, the first one unless the query says otherwise. */
  const read = async (query: ListingQuery) => {
    const response = await ask({ page: 0, ...query });
    expect(response.status, response.text).toBe(200);
    return {
      records: z.array(auditRecordSchema).parse(response.json()),
      next: response.headers.get('x-next-cursor'),
      total: response.headers.get('x-total-count'),
    };
  };
  const { records: all }: { records: AuditRecord[] } = await read({ limit: 1_000 });
  const owned = stack.move();
  return {
    ...rig,
    tokenOf: rig.token,
    audit,
    token,
    ask,
    read,
    all,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What `createListingRig` makes. */
export type ListingRig = Awaited<ReturnType<typeof createListingRig>>;
