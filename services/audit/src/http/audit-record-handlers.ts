import type { ActorScope } from '@waybill/access/principal';
import type {
  ActivityRecord,
  countActivityEndpoint,
  listActivityEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/activity-endpoints';
import type { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import type { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { verifyAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { activityCodes, partnerActivityCodes } from '@waybill/contracts/messages/activity-facts';
import type { AuditContext } from '@waybill/contracts/messages/audit-event';
import { newPathOf } from '@waybill/contracts/messages/new-path-of';
import type { NameOwner, NamesOfActors } from '@waybill/directory/rights/names-of-actors';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { RecordList, RecordScope } from '../domain/log/record-log.ts';
import type { Verifier } from '../domain/verification/verifier.ts';
import type { ReadTurns } from './read-turns.ts';

/** Where records are read, and by whom how many at once. */
export interface RecordPorts {
  readonly records: RecordList;
  readonly turns: ReadTurns;
}

/** The same for those who may read the activity of some actors alone. */
export interface ActivityPorts extends RecordPorts {
  readonly namesOfActors: (actors: readonly string[]) => Promise<NamesOfActors>;
  readonly ownersOfNames: (names: {
    readonly users: readonly string[];
    readonly virtualFileSystems: readonly string[];
  }) => Promise<readonly NameOwner[]>;
}

/** Handles C1. */
export function createListAuditRecordsHandler(ports: RecordPorts): EndpointHandler<typeof listAuditRecordsEndpoint> {
  return async (request) => {
    const { records, headers } = await listRecords(ports, request);
    return { status: 200, body: [...records], headers };
  };
}

/** Returns numbers of records over time. */
export function createCountAuditRecordsHandler(ports: RecordPorts): EndpointHandler<typeof countAuditRecordsEndpoint> {
  return async ({ query, principal }) => ({
    status: 200,
    body: await ports.turns(principal.userName, () => ports.records.countOverTime(query)),
  });
}

/** Lists the records of activity that the caller may see. */
export function createListActivityHandler(ports: ActivityPorts): EndpointHandler<typeof listActivityEndpoint> {
  return async (request) => {
    const { records, headers } = await listRecords(ports, request, await scopeOf(ports, request));
    const contexts = await ports.records.contextsOf(records.map(({ id }) => id));
    const described = records.map((record) => ({ ...record, context: contexts.get(record.id) ?? {} }));
    const owners = await ports.ownersOfNames({
      users: distinct(described.map(({ dataoneUser }) => dataoneUser)),
      virtualFileSystems: distinct(described.map(({ context }) => context.virtualFileSystem ?? '')),
    });
    const body = described.map((record) => ({
      ...record,
      actor: ownerOf(record, owners),
      newPath: newPathOf(record) ?? null,
    }));
    return { status: 200, body, headers };
  };
}

/** Counts the records of activity that the caller may see. */
export function createCountActivityHandler(ports: ActivityPorts): EndpointHandler<typeof countActivityEndpoint> {
  return async (request) => {
    const { query, principal } = request;
    const scope = await scopeOf(ports, request);
    const body = await ports.turns(principal.userName, () => ports.records.countOverTime(query, scope));
    return { status: 200, body };
  };
}

/** Returns the result of a verification of the whole audit log. */
export function createVerifyAuditRecordHandler(ports: {
  verifier: Verifier;
}): EndpointHandler<typeof verifyAuditRecordEndpoint> {
  return async () => ({ status: 200, body: await ports.verifier.verify() });
}

type DescribedRecord = Pick<ActivityRecord, 'dataoneUser' | 'auditTime'> & { readonly context: AuditContext };

/** The actor to whom a record belongs: by its virtual file system or, without one, by its user, if the name was the actor's by then. */
function ownerOf({ dataoneUser, auditTime, context }: DescribedRecord, owners: readonly NameOwner[]): string | null {
  const vfs = context.virtualFileSystem;
  const [kind, name] = vfs === undefined ? (['user', dataoneUser] as const) : (['vfs', vfs] as const);
  const owner = owners.find((one) => one.kind === kind && one.name === name);
  return owner !== undefined && owner.since <= new Date(auditTime) ? owner.actor : null;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

type ListRequest = Pick<Parameters<EndpointHandler<typeof listAuditRecordsEndpoint>>[0], 'query' | 'principal'>;

async function listRecords(
  { records: list, turns }: RecordPorts,
  { query, principal }: ListRequest,
  scope?: RecordScope,
) {
  const [{ records, nextCursor }, total] = await turns(principal.userName, async () => [
    await list.list(query, scope),
    query.total === 'true' ? await list.count(query, scope) : undefined,
  ]);
  return {
    records,
    headers: {
      ...(nextCursor !== undefined && { 'X-Next-Cursor': nextCursor }),
      ...(total !== undefined && { 'X-Total-Count': String(total) }),
    },
  };
}

interface ActivityRequest {
  readonly actors: ActorScope;
  readonly query: { readonly actor?: string | undefined };
}

/** The activity of everything, or what the file servers do for the actor that is asked for, or for those of the caller. */
async function scopeOf({ namesOfActors }: ActivityPorts, { actors, query }: ActivityRequest): Promise<RecordScope> {
  const { actor } = query;
  if (actor === undefined && actors === undefined) return { codes: activityCodes };
  const wanted = actor === undefined ? (actors ?? []) : [actor];
  const reached = wanted.filter((one) => actors === undefined || actors.includes(one));
  return { codes: partnerActivityCodes, owned: await namesOfActors(reached) };
}
