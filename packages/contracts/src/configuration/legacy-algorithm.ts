/**
 * Old SSH algorithms that individual users may be allowed to use for a limited time. `ssh-rsa` means RSA signatures
 * with SHA-1, of the server and of the user. Algorithms that can be broken today, such as Diffie-Hellman with 1024
 * bits, are not included.
 */
export const legacyAlgorithms = [
  'diffie-hellman-group14-sha1',
  'ssh-rsa',
  'aes128-cbc',
  'aes192-cbc',
  'aes256-cbc',
  '3des-cbc',
  'hmac-sha1',
] as const;

/** An old SSH algorithm. */
export type LegacyAlgorithm = (typeof legacyAlgorithms)[number];
