import { createHash } from 'node:crypto';
import type { IdentifiedEvent } from '@waybill/audit/domain/records/log-record';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';

const facts = [
  'fileUploaded',
  'fileUploaded',
  'fileDownloaded',
  'fileDownloaded',
  'fileDeleted',
  'serverLogin',
] as const;

/** Events as gateways write them, numbered from `first`: some partners are big, and each file has a dataflow. */
export function someEvents(first: number, count: number): IdentifiedEvent[] {
  return Array.from({ length: count }, (_, index) => eventOf(first + index));
}

function eventOf(number: number): IdentifiedEvent {
  const fact = facts[number % facts.length] ?? 'serverLogin';
  const user = `partner${Math.floor(60 * (((number * 7_919) % 10_007) / 10_007) ** 3)}`;
  const isLogin = fact === 'serverLogin';
  const path = `/inbox/invoices/${number % 31}/invoice-${(number * 7_919) % 1_000_003}.csv`;
  const payload = composeAuditEvent(fact, {
    user,
    nodeId: `peer${number % 4}`,
    managerName: 'manager1',
    entityType: isLogin ? 'SFTP' : 'File',
    entityName: isLogin ? 'engine' : path,
    entityId: isLogin ? `peer${number % 4}` : String(number),
    ...(!isLogin && { dfiid: uuidV7() }),
    names: { path, fileset: String(number) },
  });
  const place = { address: `192.0.2.${number % 250}`, virtualFileSystem: `vfs${number % 20}` };
  const isTransfer = fact === 'fileUploaded' || fact === 'fileDownloaded';
  const context = { ...place, ...(isTransfer && { fileSize: number, fileHash: hashOf(String(number)) }) };
  return { id: uuidV7(), payload: { ...payload, context } };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
