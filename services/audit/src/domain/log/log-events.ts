import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { verifierKey } from '../checkpoints/signed-note.ts';
import type { IdentifiedEvent } from '../records/log-record.ts';
import { sha256 } from '../tree/tree-hash.ts';
import type { AcceptedRestore, SignedState } from './checkpoint-memory.ts';

/** The process that writes, as it is in the records that it adds; the name is also in the origin of a new log. */
export interface WriterIdentity {
  readonly managerName: string;
  readonly nodeId: string;
}

/** The record of a change of keys: it is the first that the new key signs. */
export function keyChangeEvent(
  change: WriterIdentity & { origin: string; from: string; to: string; size: number },
): IdentifiedEvent {
  const { managerName, nodeId, origin, from, to, size } = change;
  const payload = composeAuditEvent('auditKeyChanged', {
    user: '',
    managerName,
    nodeId,
    entityType: 'Audit key',
    entityName: verifierKey(origin, to),
    entityId: verifierKey(origin, from),
    names: { size: String(size) },
  });
  return { id: uuidV7(), payload };
}

/** The record of an accepted restore. An acceptance always has the same id, so that it is recorded once. */
export function restoreEvent(
  accepted: Pick<AcceptedRestore, 'user' | 'reason' | 'acceptedAt'>,
  context: WriterIdentity & { remembered: SignedState; size: number },
): IdentifiedEvent {
  const { managerName, nodeId, remembered, size } = context;
  const payload = composeAuditEvent('auditLogRestored', {
    user: accepted.user,
    managerName,
    nodeId,
    entityType: 'Audit log',
    entityName: remembered.origin,
    entityId: String(remembered.size),
    names: {
      root: remembered.root?.toString('base64') ?? 'unknown',
      size: String(size),
      reason: accepted.reason,
    },
  });
  const { user, reason, acceptedAt } = accepted;
  const hex = sha256(JSON.stringify([user, reason, acceptedAt]));
  const id = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return { id: id.join('-'), payload };
}

/** The record of an anchor that has failed for long, or that works again. */
export function anchorEvent(
  change: WriterIdentity & { anchor: string; since: Date; size: number; reason: string | undefined },
): IdentifiedEvent {
  const { managerName, nodeId, anchor, since, size, reason } = change;
  const payload = composeAuditEvent(reason === undefined ? 'auditAnchorRecovered' : 'auditAnchorFailed', {
    user: '',
    managerName,
    nodeId,
    entityType: 'Audit anchor',
    entityName: anchor,
    entityId: String(size),
    names: { size: String(size), since: since.toISOString(), ...(reason !== undefined && { reason }) },
  });
  return { id: uuidV7(), payload };
}
