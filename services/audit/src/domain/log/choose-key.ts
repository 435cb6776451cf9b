import type { Signer } from '../keys/signer.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';
import type { IdentifiedEvent } from '../records/log-record.ts';
import { keyChangeEvent, type WriterIdentity } from './log-events.ts';
import type { OpenedLog } from './open-head.ts';
import type { RecordLog } from './record-log.ts';

/** The keys of the log, at any time the current ones. */
export interface LogKeys {
  readonly signer: Signer;
  readonly trusted: TrustedKeys;
  /** Reads the files of the keys now. */
  reload(): Promise<void>;
}

/**
 * The key for the next checkpoint, and the record of its first use if it replaces another one. A key that was replaced
 * signs nothing more: before it gives up, the process reads the files of the keys again.
 * @throws Error if the key is retired
 */
export async function chooseKey(
  log: RecordLog,
  { checkpoint, signedBy }: OpenedLog,
  { keys, identity }: { readonly keys: LogKeys; readonly identity: WriterIdentity },
): Promise<{ readonly signer: Signer; readonly notices: readonly IdentifiedEvent[] }> {
  if (keys.signer.publicKey === signedBy) return { signer: keys.signer, notices: [] };
  const used = new Set((await log.listKeys()).map(({ publicKey }) => publicKey));
  if (used.has(keys.signer.publicKey)) await keys.reload();
  const { signer } = keys;
  const to = signer.publicKey;
  if (to === signedBy) return { signer, notices: [] };
  const { origin, size } = checkpoint;
  if (used.has(to)) {
    throw new Error(
      `The key ${to} is retired since record ${size}, and signs nothing more: give this process the active key of the audit log (docs/keys.md)`,
    );
  }
  await log.addKey({ publicKey: to, firstSize: size });
  if (signedBy === undefined) return { signer, notices: [] };
  return { signer, notices: [keyChangeEvent({ ...identity, origin, from: signedBy, to, size })] };
}
