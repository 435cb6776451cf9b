import { canonicalJson } from '../canonical-json.ts';
import type { Signer } from './signer.ts';
import { createTrustedKeys, isPublicKey } from './trusted-keys.ts';

/** The statement of one signing key that another one was used before it and is still trusted. */
export interface KeyVoucher {
  readonly publicKey: string;
  readonly vouchedBy: string;
  readonly signature: string;
}

/** Vouches for a retired key. */
export function vouchFor(publicKey: string, signer: Signer): KeyVoucher {
  const vouchedBy = signer.publicKey;
  return { publicKey, vouchedBy, signature: signer.sign(textOf({ publicKey, vouchedBy })) };
}

/**
 * These keys, and all keys for which they vouch, directly or indirectly. A voucher that no trusted key has signed has
 * no effect: an attacker who can write to the database gains nothing.
 */
export function keysTrustedThrough(roots: readonly string[], vouchers: readonly KeyVoucher[]): string[] {
  const keys = new Set(roots);
  let waiting = vouchers.filter(({ publicKey }) => isPublicKey(publicKey));
  for (;;) {
    const trusted = createTrustedKeys([...keys]);
    const valid = waiting.filter(({ publicKey, vouchedBy, signature }) =>
      trusted.verify({ publicKey: vouchedBy, signature, text: textOf({ publicKey, vouchedBy }) }),
    );
    if (valid.length === 0) return [...keys];
    for (const { publicKey } of valid) keys.add(publicKey);
    waiting = waiting.filter((voucher) => !valid.includes(voucher));
  }
}

function textOf({ publicKey, vouchedBy }: Omit<KeyVoucher, 'signature'>): string {
  return canonicalJson({ kind: 'key', publicKey, version: 1, vouchedBy });
}
