import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import type { Algorithms } from 'ssh2';
import { hybridKeyExchange, isKexAlgorithm } from '../ssh2/ssh2-internals.ts';

/**
 * Nothing with SHA-1, no CBC, no compression; in order of preference, with methods that are expensive for the server
 * last. Group 18 costs it 16 ms of processor time an exchange, before the login.
 */
const modern = {
  kex: [
    hybridKeyExchange,
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'diffie-hellman-group14-sha256',
    'ecdh-sha2-nistp384',
    'diffie-hellman-group16-sha512',
    'ecdh-sha2-nistp521',
  ],
  serverHostKey: [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} as const;

const old = {
  kex: ['diffie-hellman-group14-sha1'],
  serverHostKey: ['ssh-rsa'],
  cipher: ['aes256-cbc', 'aes192-cbc', 'aes128-cbc', '3des-cbc'],
  hmac: ['hmac-sha1'],
} as const satisfies Record<string, readonly LegacyAlgorithm[]>;

/**
 * The offer of a server: the modern algorithms in order of preference, then the legacy ones for which any user has an
 * exception. ssh2 itself adds strict key exchange.
 */
export function sshAlgorithms(legacy: readonly LegacyAlgorithm[] = []): Algorithms {
  const allowed = (name: LegacyAlgorithm): boolean => legacy.includes(name);
  const kex: string[] = [...modern.kex, ...old.kex.filter(allowed)];
  return {
    kex: kex.filter(isKexAlgorithm),
    serverHostKey: [...modern.serverHostKey, ...old.serverHostKey.filter(allowed)],
    cipher: [...modern.cipher, ...old.cipher.filter(allowed)],
    hmac: [...modern.hmac, ...old.hmac.filter(allowed)],
    compress: [...modern.compress],
  };
}
