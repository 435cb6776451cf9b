import type { Database } from '@waybill/postgres/database';
import type { AnchoredLog } from '../domain/anchors/exchange-checkpoint.ts';
import type { Cosignature } from '../domain/checkpoints/cosignature.ts';
import type { TrustedKeys } from '../domain/keys/trusted-keys.ts';
import { openHead } from '../domain/log/open-head.ts';
import { createKnexHashSource } from './knex-hash-source.ts';
import { readTreeHead } from './knex-record-log.ts';

/** The audit log in PostgreSQL for its anchors. Only what a trusted key has signed goes to them. */
export function createKnexAnchoredLog(db: Database, keys: { readonly trusted: TrustedKeys }): AnchoredLog {
  return {
    readHead: async () => {
      const head = await readTreeHead(db);
      if (!head) return undefined;
      const opened = openHead(head, keys.trusted);
      if (typeof opened === 'string') throw new Error('The head of the audit log cannot be trusted');
      return { checkpoint: opened.checkpoint, note: head.checkpoint };
    },
    hashes: createKnexHashSource(db),
    keepCosignature: async ({ verifierKey, line, note, size }) => {
      await db.raw(
        `INSERT INTO audit.cosignatures (verifier_key, line, checkpoint, size) VALUES (:verifierKey, :line, :note, :size)
         ON CONFLICT (verifier_key) DO UPDATE SET (line, checkpoint, size, cosigned_at) =
           ROW (excluded.line, excluded.checkpoint, excluded.size, excluded.cosigned_at)`,
        { verifierKey, line, note, size },
      );
    },
  };
}

/** The last cosignature of each witness. */
export async function readCosignatures(db: Pick<Database, 'raw'>): Promise<Cosignature[]> {
  const { rows } = await db.raw<{ rows: (Omit<Cosignature, 'size'> & { size: string })[] }>(
    `SELECT verifier_key AS "verifierKey", line, checkpoint AS note, size FROM audit.cosignatures ORDER BY verifier_key`,
  );
  return rows.map(({ size, ...row }) => ({ ...row, size: Number(size) }));
}
