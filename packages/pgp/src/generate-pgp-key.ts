import { generateKey } from 'openpgp';
import { pgpSettings } from './pgp-settings.ts';

/** The kinds of keys that can be generated. `ecc`: Ed25519 and X25519; `rsa`: 4096 bits, for partners with old software. */
export const pgpKeyKinds = ['ecc', 'rsa'] as const;

/** A kind of key. */
export type PgpKeyKind = (typeof pgpKeyKinds)[number];

/** A pair of keys with ASCII armor. The private one has no passphrase: it is stored encrypted, as a secret. */
export interface PgpKeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const secondsOfDay = 86_400;

/** Generates a key that signs and encrypts, and expires after so many days. */
export async function generatePgpKey(options: {
  readonly kind: PgpKeyKind;
  readonly user: { readonly name: string; readonly email?: string | undefined };
  readonly days: number;
}): Promise<PgpKeyPair> {
  const { kind, days, user } = options;
  const { publicKey, privateKey } = await generateKey({
    // The curves of RFC 4880bis, which GnuPG knows since version 2.1, and not those of RFC 9580, which it does not know.
    ...(kind === 'ecc' ? { type: 'ecc', curve: 'ed25519Legacy' } : { type: 'rsa', rsaBits: 4_096 }),
    userIDs: [{ name: user.name, ...(user.email !== undefined && { email: user.email }) }],
    keyExpirationTime: days * secondsOfDay,
    format: 'armored',
    config: pgpSettings,
  });
  return { publicKey, privateKey };
}
