import { createHash } from 'node:crypto';

/** A public key as people compare it, like `ssh-keygen -l` shows it: `SHA256:` and base64. */
export function keyFingerprint(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/u, '')}`;
}
