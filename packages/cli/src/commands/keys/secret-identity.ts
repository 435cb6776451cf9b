import { secretNameSchema } from '@waybill/contracts/configuration/secret-reference';
import { plainNameSchema } from '@waybill/contracts/values/configured-names';
import { type Invocation, UsageError } from '../../command.ts';

/** Names a secret: `owner` is an actor; empty: the platform. */
export interface SecretId {
  readonly owner: string;
  readonly name: string;
}

/** The secret that a command names. @throws UsageError */
export function secretIdOf({ positionals: [name = ''], values: { actor } }: Invocation): SecretId {
  const parsed = secretNameSchema.safeParse(name);
  if (!parsed.success) throw new UsageError('the name of a secret has 1 to 128 letters, digits, dots, dashes or _');
  if (typeof actor !== 'string') return { owner: '', name };
  const owner = plainNameSchema.safeParse(actor);
  if (!owner.success) throw new UsageError('--actor is not the name of an actor');
  return { owner: owner.data, name };
}

/** A secret, for people. */
export function nameOf({ owner, name }: SecretId): string {
  return owner === '' ? name : `${name} of ${owner}`;
}
