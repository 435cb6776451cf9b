import type { AuditOperation } from '@waybill/contracts/values/audit-operation';
import type { StoredRecord } from '../records/log-record.ts';
import { type ExportEnd, hasFailed } from './event-facts.ts';

/** A class of OCSF 1.5 and an activity in it. */
type Activity = readonly [classId: number, activityId: number];

const [accountChange, authentication, entityManagement, ftp, fileHosting] = [3001, 3002, 3004, 4008, 6006] as const;
const other = 99;

/** For each operation the activity over SFTP, and over HTTP if that is another one. */
const activities: Readonly<Record<AuditOperation, readonly [overSftp: Activity, overHttp?: Activity]>> = {
  CREATE: [[entityManagement, 1]],
  MODIFY: [[entityManagement, 3]],
  DELETE: [[entityManagement, 4]],
  LOGIN: [[authentication, 1]],
  LOGOUT: [[authentication, 2]],
  'PASSWORD CHANGE': [[accountChange, 3]],
  SERVER_LOGIN: [[authentication, 1]],
  SERVER_LOGOUT: [[authentication, 2]],
  SERVER_CREATE_DIR: [
    [ftp, other],
    [fileHosting, other],
  ],
  SERVER_CHANGE_DIR: [
    [ftp, other],
    [fileHosting, other],
  ],
  SERVER_RENAME_DIR: [
    [ftp, 5],
    [fileHosting, 5],
  ],
  SERVER_DELETE_DIR: [
    [ftp, 4],
    [fileHosting, 4],
  ],
  SERVER_UPLOAD_FILE: [
    [ftp, 1],
    [fileHosting, 1],
  ],
  SERVER_DOWNLOAD_FILE: [
    [ftp, 2],
    [fileHosting, 2],
  ],
  SERVER_RENAME_FILE: [
    [ftp, 5],
    [fileHosting, 5],
  ],
  SERVER_DELETE_FILE: [
    [ftp, 4],
    [fileHosting, 4],
  ],
};

/** The algorithm of a fingerprint. */
const sha256 = { algorithm: 'SHA-256', algorithm_id: 3 } as const;

const metadata = { version: '1.5.0', product: { name: 'Waybill', vendor_name: 'Waybill' } };

/** A record as an event of the Open Cybersecurity Schema Framework, in one line of JSON. */
export function ocsfLine(record: StoredRecord): string {
  const { auditOperation, context, entityName, entityId } = record;
  const [overSftp, overHttp] = activities[auditOperation];
  const [classId, activityId] = record.producer?.id.startsWith('sftp-gateway/') ? overSftp : (overHttp ?? overSftp);
  const failed = hasFailed(record);
  const isFile = classId === ftp || classId === fileHosting;
  const event = {
    activity_id: activityId,
    ...(activityId === other && { activity_name: auditOperation }),
    category_uid: Math.floor(classId / 1_000),
    class_uid: classId,
    type_uid: classId * 100 + activityId,
    severity_id: failed ? 2 : 1,
    status_id: failed ? 2 : 1,
    time: Date.parse(record.auditTime),
    message: record.auditMessage,
    metadata: {
      ...metadata,
      uid: record.id,
      sequence: record.sequence,
      event_code: record.auditCode,
      correlation_uid: record.dfiid ?? undefined,
      logged_time: record.recordedAt === null ? undefined : Date.parse(record.recordedAt),
    },
    actor: { user: userOf(record), session: context.session && { uid: context.session } },
    ...(classId === authentication && { user: userOf(record) }),
    ...(classId === accountChange && { user: { name: entityName, uid: entityId } }),
    src_endpoint: context.address && { ip: context.address, port: context.port },
    device: { hostname: record.nodeId, type_id: 1 },
    ...(isFile && { file: fileOf(record) }),
    ...(classId === entityManagement && { entity: { name: entityName, uid: entityId, type: record.entityType } }),
    status_detail: context.reason,
    unmapped: {
      clusterId: record.clusterId,
      module: record.module,
      correlationId: record.correlationId,
      entityType: record.entityType,
      virtualFileSystem: context.virtualFileSystem,
      hash: record.hash,
    },
  };
  return `${JSON.stringify(event)}\n`;
}

/** The user, with the API key that was sent instead of a login. */
function userOf({ dataoneUser, context: { apiKey } }: StoredRecord) {
  return { name: dataoneUser, credential_uid: apiKey === undefined ? undefined : String(apiKey) };
}

function fileOf({ auditOperation, context, entityName, entityId }: StoredRecord) {
  return {
    name: entityName.split('/').at(-1),
    path: entityName,
    uid: entityId,
    type_id: auditOperation.endsWith('_DIR') ? 2 : 1,
    size: context.fileSize,
    hashes: context.fileHash && [{ ...sha256, value: context.fileHash }],
  };
}

/** The checkpoint as a base event. */
export function ocsfEnd(unmapped: ExportEnd): string {
  const message = 'Checkpoint of the audit log';
  const base = { activity_id: 0, category_uid: 0, class_uid: 0, type_uid: 0, severity_id: 1, time: Date.now() };
  return `${JSON.stringify({ ...base, message, metadata, unmapped })}\n`;
}
