import ssh2 from 'ssh2';
import type { PublicKeyAuthContext } from 'ssh2';

/** Types of keys that users may log in with; `ssh-rsa` names the key here, whatever it signs with. */
const acceptedTypes = new Set([
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
]);
const leastRsaBlobBytes = 256;

/** Whether the key is acceptable, whether or not the client has signed yet. */
export function isAcceptableKey({ key }: PublicKeyAuthContext): boolean {
  return acceptedTypes.has(key.algo) && (key.algo !== 'ssh-rsa' || key.data.length >= leastRsaBlobBytes);
}

/** Whether the client signs, or announces to sign, with SHA-1. */
export function signsWithSha1({ key, hashAlgo }: PublicKeyAuthContext): boolean {
  return key.algo === 'ssh-rsa' && hashAlgo !== 'sha256' && hashAlgo !== 'sha512';
}

/** Whether the client has proved that it holds the private key (RFC 4252, section 7). */
export function verifySignature({ key, signature, blob, hashAlgo }: PublicKeyAuthContext): boolean {
  if (signature === undefined || blob === undefined) return false;
  const parsed = ssh2.utils.parseKey(key.data);
  if (parsed instanceof Error || parsed.type !== key.algo) return false;
  // For an unreadable signature it returns an Error, which its types do not declare.
  const verified: unknown = parsed.verify(blob, signature, hashAlgo);
  return verified === true;
}
