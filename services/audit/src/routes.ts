import {
  countActivityEndpoint,
  listActivityEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/activity-endpoints';
import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import {
  listAuditHoldsEndpoint,
  placeAuditHoldEndpoint,
  releaseAuditHoldEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/audit-hold-endpoints';
import { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { followAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/follow-audit-records';
import { listAuditKeysEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-keys';
import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { proveAuditConsistencyEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-consistency';
import { proveAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-record';
import { readAuditCheckpointEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-checkpoint';
import { readAuditTileEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-tile';
import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { verifyAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import { describeRead } from './domain/reading/describe-read.ts';
import type { LogReader } from './domain/reading/log-reader.ts';
import type { Redactor } from './domain/redaction/redact-records.ts';
import type { Holds } from './domain/retention/holds.ts';
import type { Verifier } from './domain/verification/verifier.ts';
import type { AuditFollowers } from './http/audit-followers.ts';
import { createAuditHoldHandlers } from './http/audit-hold-handlers.ts';
import {
  type ActivityPorts,
  createCountActivityHandler,
  createCountAuditRecordsHandler,
  createListActivityHandler,
  createListAuditRecordsHandler,
  createVerifyAuditRecordHandler,
} from './http/audit-record-handlers.ts';
import { createLogProofHandlers, type LogProofHandlers } from './http/log-proof-handlers.ts';
import type { DescribedRead, RecordReads } from './http/read-records.ts';
import { createRedactAuditRecordsHandler } from './http/redact-audit-records-handler.ts';

/** What the endpoints of this service use. */
export interface RouteParts extends ActivityPorts {
  readonly verifier: Verifier;
  readonly reader: LogReader;
  readonly followers: Pick<AuditFollowers, 'follow'>;
  readonly redactor: Redactor;
  readonly holds: Holds;
  readonly recordReads: RecordReads;
}

/** All endpoints of this service. */
export function createRoutes(parts: RouteParts): Route[] {
  const proofs = createLogProofHandlers(parts);
  const holds = createAuditHoldHandlers(parts);
  return [
    ...listingRoutes(parts),
    ...readingRoutes(parts, proofs),
    bindEndpoint(redactAuditRecordsEndpoint, createRedactAuditRecordsHandler(parts)),
    bindEndpoint(listAuditHoldsEndpoint, holds.list),
    bindEndpoint(placeAuditHoldEndpoint, holds.place),
    bindEndpoint(releaseAuditHoldEndpoint, holds.release),
    bindEndpoint(readAuditCheckpointEndpoint, proofs.readCheckpoint),
    bindEndpoint(listAuditKeysEndpoint, proofs.listKeys),
    bindEndpoint(proveAuditConsistencyEndpoint, proofs.proveConsistency),
  ];
}

/** Lists and counts of records: their use is recorded. */
function listingRoutes(parts: RouteParts): Route[] {
  const { recordReads } = parts;
  return [
    bindEndpoint(
      listAuditRecordsEndpoint,
      recordReads('auditLogRead', createListAuditRecordsHandler(parts), ({ query }) =>
        filtered(listAuditRecordsEndpoint, query.q),
      ),
    ),
    bindEndpoint(
      countAuditRecordsEndpoint,
      recordReads('auditLogRead', createCountAuditRecordsHandler(parts), ({ query }) =>
        filtered(countAuditRecordsEndpoint, query.q),
      ),
    ),
    bindEndpoint(
      listActivityEndpoint,
      recordReads('auditLogRead', createListActivityHandler(parts), ({ query }) =>
        filtered(listActivityEndpoint, query.q),
      ),
    ),
    bindEndpoint(
      countActivityEndpoint,
      recordReads('auditLogRead', createCountActivityHandler(parts), ({ query }) =>
        filtered(countActivityEndpoint, query.q),
      ),
    ),
  ];
}

/** The other endpoints whose responses have records, or what a verification of them has found: their use is recorded. */
function readingRoutes(parts: RouteParts, proofs: LogProofHandlers): Route[] {
  const { recordReads, followers } = parts;
  return [
    bindEndpoint(
      followAuditRecordsEndpoint,
      recordReads('auditLogRead', followers.follow, ({ query }) => filtered(followAuditRecordsEndpoint, query.q)),
    ),
    bindEndpoint(
      readAuditTileEndpoint,
      recordReads('auditLogRead', proofs.readTile, ({ params }) =>
        params.path.level === 'entries' ? filtered(readAuditTileEndpoint) : undefined,
      ),
    ),
    bindEndpoint(
      proveAuditRecordEndpoint,
      recordReads('auditLogRead', proofs.proveRecord, ({ params }) => ({
        endpoint: proveAuditRecordEndpoint.id,
        request: describeRead(`${proveAuditRecordEndpoint.id} ${params.id}`),
      })),
    ),
    bindEndpoint(
      exportAuditRecordsEndpoint,
      recordReads('auditLogExported', proofs.exportRecords, ({ query }) => ({
        endpoint: exportAuditRecordsEndpoint.id,
        request: describeRead(`${exportAuditRecordsEndpoint.id} ${query.format}`, query.q?.filter),
      })),
    ),
    bindEndpoint(
      verifyAuditRecordEndpoint,
      recordReads('auditLogVerified', createVerifyAuditRecordHandler(parts), (_, { body }) => ({
        ...filtered(verifyAuditRecordEndpoint),
        outcome: body.intact ? 'success' : 'findings',
      })),
    ),
  ];
}

function filtered({ id }: { readonly id: string }, q?: AuditFilter): DescribedRead {
  return { endpoint: id, request: describeRead(id, q) };
}
