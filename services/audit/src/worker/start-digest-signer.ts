import type { Database } from '@waybill/postgres/database';
import { runWhenWoken, type WokenLoop } from '@waybill/service-kit/run-when-woken';
import { createKnexRecordLog } from '../adapters/knex-record-log.ts';
import type { Digest } from '../domain/digests/digest.ts';
import type { Signer } from '../domain/keys/signer.ts';
import type { TrustedKeys } from '../domain/keys/trusted-keys.ts';
import { signDueDigest, type DigestPace } from '../domain/log/sign-due-digest.ts';

/** The options of the signer. */
export interface DigestSignerOptions {
  db: Database;
  signer: Signer;
  trusted: TrustedKeys;
  pace: DigestPace;
  onSigned(digest: Digest): void;
  onFailure(error: unknown): void;
}

/** Signs digests when they are due, and checks for a due one when it is woken. Any number of processes may run it. */
export function startDigestSigner(options: DigestSignerOptions): WokenLoop {
  const { db, signer, trusted, pace, onSigned, onFailure } = options;
  const signOne = (): Promise<Digest | undefined> =>
    db.transaction((trx) => signDueDigest({ log: createKnexRecordLog(trx), signer, trusted, pace, now: new Date() }));
  const loop = runWhenWoken(async () => {
    try {
      for (let digest = await signOne(); digest; digest = await signOne()) onSigned(digest);
    } catch (error) {
      onFailure(error);
    }
  });
  const timer = setInterval(loop.wake, pace.intervalMs / 4);
  loop.wake();
  return {
    wake: loop.wake,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await loop[Symbol.asyncDispose]();
    },
  };
}
