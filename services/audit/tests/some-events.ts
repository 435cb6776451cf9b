import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { AuditContext } from '@waybill/contracts/messages/audit-event';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import type { Signer } from '../src/domain/keys/signer.ts';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';

/** A signer with a new key. */
export function createTestSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { publicKey: x, sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url') };
}

/**
 * Events with unique ids, in order; `text` is in the name of each. Two of three have a context; all of a call have one
 * producer.
 */
export function someEvents(count: number, text = 'file'): IdentifiedEvent[] {
  const producer = `sftp-gateway/peer1/${randomUUID()}`;
  return Array.from({ length: count }, (_, index) => ({
    id: uuidV7(1_700_000_000_000 + index),
    payload: {
      ...composeAuditEvent('fileUploaded', {
        user: 'acme',
        nodeId: 'peer1',
        managerName: 'manager1',
        entityType: 'File',
        entityName: `/inbox/${text}-${index}.csv`,
        entityId: String(index),
        names: { path: `/inbox/${text}-${index}.csv`, fileset: String(index) },
      }),
      ...(index % 3 > 0 && { context: contextOf(index) }),
      producer: { id: producer, number: index + 1, settled: index, ...(index % 7 === 6 && { voided: [] }) },
    },
  }));
}

/** Some have the columns only, some other members as well, as those of earlier releases, and half of these what was transferred. */
function contextOf(index: number): AuditContext {
  const place = { virtualFileSystem: 'partners', address: `192.0.2.${index % 250}` };
  if (index % 3 === 1) return place;
  const client = { ...place, port: 50_000, session: `ü${index}`, client: 'OpenSSH_10.0' };
  return index % 2 === 1 ? client : { ...client, fileSize: 1_000 + index, fileHash: hashOf(`content ${index}`) };
}

/** The SHA-256 of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
