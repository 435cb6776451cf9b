import ssh2 from 'ssh2';

/**
 * A new Ed25519 key pair in OpenSSH's format. ssh2 1.17 drops a zero byte at the end of a key, so that about one in a
 * hundred of its pairs cannot be read, not even by itself: each is read back before it is returned.
 */
export function generateEd25519Key(): { private: string; public: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}
