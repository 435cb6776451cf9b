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
import type { RecordList } from './domain/log/record-log.ts';
import type { LogReader } from './domain/reading/log-reader.ts';
import type { Redactor } from './domain/redaction/redact-records.ts';
import type { Holds } from './domain/retention/holds.ts';
import type { Verifier } from './domain/verification/verifier.ts';
import type { AuditFollowers } from './http/audit-followers.ts';
import { createAuditHoldHandlers } from './http/audit-hold-handlers.ts';
import {
  createCountAuditRecordsHandler,
  createListAuditRecordsHandler,
  createVerifyAuditRecordHandler,
} from './http/audit-record-handlers.ts';
import { createLogProofHandlers } from './http/log-proof-handlers.ts';
import { createRedactAuditRecordsHandler } from './http/redact-audit-records-handler.ts';

/** All endpoints of this service. */
export function createRoutes(parts: {
  records: RecordList;
  verifier: Verifier;
  reader: LogReader;
  followers: Pick<AuditFollowers, 'follow'>;
  redactor: Redactor;
  holds: Holds;
}): Route[] {
  const proofs = createLogProofHandlers(parts);
  const holds = createAuditHoldHandlers(parts);
  return [
    bindEndpoint(listAuditRecordsEndpoint, createListAuditRecordsHandler(parts)),
    bindEndpoint(countAuditRecordsEndpoint, createCountAuditRecordsHandler(parts)),
    bindEndpoint(followAuditRecordsEndpoint, parts.followers.follow),
    bindEndpoint(verifyAuditRecordEndpoint, createVerifyAuditRecordHandler(parts)),
    bindEndpoint(redactAuditRecordsEndpoint, createRedactAuditRecordsHandler(parts)),
    bindEndpoint(listAuditHoldsEndpoint, holds.list),
    bindEndpoint(placeAuditHoldEndpoint, holds.place),
    bindEndpoint(releaseAuditHoldEndpoint, holds.release),
    bindEndpoint(exportAuditRecordsEndpoint, proofs.exportRecords),
    bindEndpoint(readAuditCheckpointEndpoint, proofs.readCheckpoint),
    bindEndpoint(listAuditKeysEndpoint, proofs.listKeys),
    bindEndpoint(readAuditTileEndpoint, proofs.readTile),
    bindEndpoint(proveAuditRecordEndpoint, proofs.proveRecord),
    bindEndpoint(proveAuditConsistencyEndpoint, proofs.proveConsistency),
  ];
}
