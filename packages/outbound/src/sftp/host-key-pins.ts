import { createHash } from 'node:crypto';

/** The host keys that a server may have. */
export interface HostKeyPins {
  /** The algorithms to offer for the server's key, the preferred one first. */
  readonly algorithms: string[];
  matches(key: Buffer): boolean;
}

const rsa = ['rsa-sha2-512', 'rsa-sha2-256'];
const anyAlgorithm = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', ...rsa];

/**
 * Reads pins: fingerprints (`SHA256:...`) or lines (`ssh-ed25519 AAAA...`). If all of them are lines, the server is asked for a
 * key of these types only, so that it does not show one that is not pinned.
 */
export function hostKeyPins(pins: readonly string[]): HostKeyPins {
  const fingerprints = new Set<string>();
  const types = new Set<string>();
  for (const pin of pins) {
    const [type = '', base64 = ''] = pin.trim().split(/\s+/u);
    if (type.startsWith('SHA256:')) {
      fingerprints.add(type);
      for (const algorithm of anyAlgorithm) types.add(algorithm);
    } else {
      fingerprints.add(fingerprintOf(Buffer.from(base64, 'base64')));
      for (const algorithm of type === 'ssh-rsa' ? rsa : [type]) types.add(algorithm);
    }
  }
  return {
    algorithms: anyAlgorithm.filter((algorithm) => types.has(algorithm)),
    matches: (key) => fingerprints.has(fingerprintOf(key)),
  };
}

/** The fingerprint of a public key as `ssh-keygen -l` shows it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/u, '')}`;
}
