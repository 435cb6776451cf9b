import { generateKeyPairSync, sign } from 'node:crypto';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import type { ChainedRecord } from '../src/domain/chain/chained-record.ts';
import type { IdentifiedEvent } from '../src/domain/chain/extend-chain.ts';
import type { SignedHead } from '../src/domain/chain/signed-head.ts';
import type { Digest } from '../src/domain/digests/digest.ts';
import type { Signer } from '../src/domain/keys/signer.ts';
import { createTrustedKeys } from '../src/domain/keys/trusted-keys.ts';
import { appendEvents } from '../src/domain/log/append-events.ts';
import type { RecordLog } from '../src/domain/log/record-log.ts';
import { signDueDigest } from '../src/domain/log/sign-due-digest.ts';
import { verifyChain, type RecordSnapshot } from '../src/domain/verification/verify-chain.ts';

/** All that is stored, open to tampering. */
export interface StoredState {
  head: SignedHead | undefined;
  records: ChainedRecord[];
  digests: Digest[];
}

/** A signer with a new key. */
export function createTestSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { publicKey: x, sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url') };
}

/** Events with unique ids, in order; `text` is in the name of each. */
export function someEvents(count: number, text = 'file'): IdentifiedEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: uuidV7(1_700_000_000_000 + index),
    payload: composeAuditEvent('fileUploaded', {
      user: 'acme',
      nodeId: 'peer1',
      managerName: 'manager1',
      entityType: 'File',
      entityName: `/inbox/${text}-${index}.csv`,
      entityId: String(index),
      names: { path: `/inbox/${text}-${index}.csv`, fileset: String(index) },
    }),
  }));
}

/** A record in memory, written by the same use-cases as the true one. */
export function createMemoryRecord(signer: Signer = createTestSigner()) {
  const state: StoredState = { head: undefined, records: [], digests: [] };
  const log = createMemoryLog(state);
  const trusted = createTrustedKeys([signer.publicKey]);
  const verify = (options: { trusted?: typeof trusted } = {}) =>
    verifyChain({ snapshot: snapshotOf(state), trusted, now: new Date(), ...options });
  return {
    state,
    log,
    signer,
    trusted,
    append: (events: readonly IdentifiedEvent[]) => appendEvents({ log, events, signer, trusted }),
    digest: (pace: { intervalMs: number; maxRecords: number }, now = new Date()) =>
      signDueDigest({ log, signer, trusted, pace, now }),
    snapshot: () => snapshotOf(state),
    verify,
    findings: async (options: { trusted?: typeof trusted } = {}) =>
      (await verify(options)).findings.map(({ kind, sequence }) => `${kind} ${sequence}`),
  };
}

function createMemoryLog(state: StoredState): RecordLog {
  return {
    lockHead: () => Promise.resolve(state.head),
    isEmpty: () => Promise.resolve(state.records.length === 0 && state.digests.length === 0),
    findRecorded: (ids) => Promise.resolve(new Set(state.records.map(({ id }) => id).filter((id) => ids.includes(id)))),
    append: async (records) => void state.records.push(...records),
    findDigest: (number) => Promise.resolve(state.digests.find((digest) => digest.number === number)),
    readHashes: (first, last) =>
      Promise.resolve(
        state.records.flatMap(({ sequence, hash }) => (sequence >= first && sequence <= last ? [hash] : [])),
      ),
    appendDigest: async (digest) => void state.digests.push(digest),
    saveHead: async (head) => {
      state.head = head;
    },
  };
}

function snapshotOf({ head, records, digests }: StoredState): RecordSnapshot {
  return {
    head,
    records: (async function* readRecords() {
      // Batches that fit no range of any digest.
      const ordered = records.toSorted((one, other) => one.sequence - other.sequence);
      for (let start = 0; start < ordered.length; start += 3) yield ordered.slice(start, start + 3);
    })(),
    digests: (async function* readDigests() {
      yield* digests;
      return undefined;
    })(),
  };
}
