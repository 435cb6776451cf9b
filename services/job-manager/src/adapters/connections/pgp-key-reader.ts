import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { ActorOfJob } from '@waybill/directory/access/actor-of-job';
import type { Directory } from '@waybill/directory/directory';
import type { ReadOwnedSecret } from '@waybill/outbound/connections/read-owned-secret';
import type { StepKeys } from '../../domain/workflows/task.ts';

/** Reads PGP keys for the steps of a job; secrets only for a use of the private key. */
export function createPgpKeyReader(parts: {
  readonly directory: Pick<Directory, 'findPgpKey'>;
  readonly readSecret: ReadOwnedSecret;
  readonly job: ActorOfJob;
}): StepKeys['pgpKey'] {
  const { directory, readSecret, job } = parts;
  return async (name, use) => {
    const owned = await directory.findPgpKey(name, job);
    if (!owned) {
      const detail = `Neither the actor ${job.actor} nor the platform has a PGP key ${JSON.stringify(name)}`;
      throw new CodedError('key_unknown', { detail });
    }
    const { key } = owned;
    const read = async (reference: string | undefined): Promise<string | undefined> =>
      reference === undefined ? undefined : (await readSecret(owned, reference)).reveal();
    const { publicKey } = key;
    if (use === 'public') return { name, publicKey };
    return { name, publicKey, privateKey: await read(key.privateKey), passphrase: await read(key.passphrase) };
  };
}
