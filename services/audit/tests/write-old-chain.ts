import { hash } from 'node:crypto';
import type { Database } from '@waybill/postgres/database';
import { stageRecords } from '../src/adapters/stage-records.ts';
import { canonicalJson } from '../src/domain/canonical-json.ts';
import type { Signer } from '../src/domain/keys/signer.ts';
import { extendLog } from '../src/domain/records/extend-log.ts';
import { leafText } from '../src/domain/records/leaf-text.ts';
import { nilId } from '../src/domain/records/log-record.ts';
import { someEvents } from './some-events.ts';

/** Stores records as earlier releases did: a hash chain with a signed head, without digests. */
export async function writeOldChain(db: Database, signer: Signer, count: number): Promise<void> {
  const { records } = extendLog({ size: 0, lastId: nilId }, someEvents(count, 'old'), new Date());
  let previousHash = '0'.repeat(64);
  const chained = records.map((record) => {
    const salt = record.salt?.slice(0, 32) ?? null;
    const unhashed = { ...record, salt, context: {}, producer: null, recordedAt: null, previousHash };
    previousHash = hash('sha256', leafText(unhashed), 'hex');
    return { ...unhashed, hash: previousHash };
  });
  const head = {
    digestHash: '0'.repeat(64),
    digestNumber: 0,
    digestedSequence: 0,
    kind: 'head',
    publicKey: signer.publicKey,
    recordHash: previousHash,
    recordId: records.at(-1)?.id ?? nilId,
    sequence: count,
    version: 1,
  };
  await db.transaction(async (trx) => {
    await stageRecords(trx, chained)();
    for (const record of chained) {
      await trx.raw("UPDATE audit.records SET previous_hash = decode(?, 'hex') WHERE sequence = ?", [
        record.previousHash,
        record.sequence,
      ]);
    }
    await trx.raw(
      `INSERT INTO audit.head (sequence, record_id, record_hash, digest_number, digest_hash, digested_sequence,
         public_key, signature)
       VALUES (:sequence, :recordId, decode(:recordHash, 'hex'), 0, decode(:digestHash, 'hex'), 0, :publicKey, :signature)`,
      { ...head, signature: signer.sign(canonicalJson(head)) },
    );
  });
}
