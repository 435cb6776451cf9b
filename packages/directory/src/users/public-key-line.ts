declare const publicKeyLineBrand: unique symbol;

/** `<type> <base64>`: a public key as in authorized_keys, without options and comment. */
export type PublicKeyLine = string & { readonly [publicKeyLineBrand]: true };

const form = /^(ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+(.*))?$/u;

/**
 * Reads a line of authorized_keys; its comment is dropped. `undefined` when it is not one: unknown type, options in
 * front, or a blob that does not name the same type (RFC 4253 section 6.6).
 */
export function parsePublicKeyLine(text: string): PublicKeyLine | undefined {
  const [, type, base64] = form.exec(text.trim()) ?? [];
  if (type === undefined || base64 === undefined) return undefined;
  const blob = Buffer.from(base64, 'base64');
  if (blob.length < 4 + type.length || blob.readUInt32BE(0) !== type.length) return undefined;
  if (blob.toString('latin1', 4, 4 + type.length) !== type) return undefined;
  return `${type} ${base64}` as PublicKeyLine;
}

/** What follows the key in a line of authorized_keys; `undefined` when nothing does. */
export function commentOfPublicKeyLine(text: string): string | undefined {
  return form.exec(text.trim())?.[3]?.trim() || undefined;
}

/** The size of an RSA key; `undefined` for other types, and for what is cut short. */
export function rsaBitsOf(line: PublicKeyLine): number | undefined {
  const [type, base64 = ''] = line.split(' ');
  if (type !== 'ssh-rsa') return undefined;
  const blob = Buffer.from(base64, 'base64');
  let modulus = blob.subarray(0, 0);
  // The type, the exponent and the modulus (RFC 4253, section 6.6), each with its length in front.
  for (let part = 0, at = 0; part < 3; part += 1) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    modulus = blob.subarray(at + 4, end);
    at = end;
  }
  const hex = modulus.toString('hex').replace(/^0+/u, '');
  return hex === '' ? 0 : BigInt(`0x${hex}`).toString(2).length;
}
