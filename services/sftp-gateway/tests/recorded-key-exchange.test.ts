import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  verify,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { string, stringsOf } from './handshake-client.ts';
import { opensshKeyExchange } from './openssh-key-exchange.ts';

/** What the patch adds to ssh2: both sides of mlkem768x25519-sha256. */
interface HybridKeyExchange {
  initiate(): { mlkem: KeyPairKeyObjectResult; x25519: KeyPairKeyObjectResult; init: Buffer };
  respond(init: Buffer): { reply: Buffer; secret: Buffer };
  conclude(keys: { mlkem: KeyPairKeyObjectResult; x25519: KeyPairKeyObjectResult }, reply: Buffer): Buffer;
}

const hybrid = createRequire(import.meta.url)('ssh2/lib/protocol/hybridKex.js') as HybridKeyExchange;
const { clientBanner, serverBanner, ...encoded } = opensshKeyExchange;
const bytesOf = (field: keyof typeof encoded) => Buffer.from(encoded[field], 'base64');
const rawOf = ({ publicKey }: { publicKey: KeyObject }, length: number) =>
  publicKey.export({ type: 'spki', format: 'der' }).subarray(-length);

const keyPairOf = (field: 'mlkemPrivateKey' | 'x25519PrivateKey'): KeyPairKeyObjectResult => {
  const privateKey = createPrivateKey({ key: bytesOf(field), type: 'pkcs8', format: 'der' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
};
const keys = { mlkem: keyPairOf('mlkemPrivateKey'), x25519: keyPairOf('x25519PrivateKey') };
const init = Buffer.concat([rawOf(keys.mlkem, 1184), rawOf(keys.x25519, 32)]);

/** Whether OpenSSH has signed the exchange with this secret in it (RFC 4253, section 8). */
function isWhatOpensshSigned(secret: Buffer): boolean {
  const packets = [
    bytesOf('clientKexInit'),
    bytesOf('serverKexInit'),
    bytesOf('hostKey'),
    init,
    bytesOf('serverReply'),
  ];
  const hashed = [Buffer.from(clientBanner), Buffer.from(serverBanner), ...packets, secret].map(string);
  const [, raw = Buffer.alloc(0)] = stringsOf(bytesOf('hostKey'));
  const [, signature = Buffer.alloc(0)] = stringsOf(bytesOf('signature'));
  const prefix = Buffer.from('302a300506032b6570032100', 'hex');
  const hostKey = createPublicKey({ key: Buffer.concat([prefix, raw]), format: 'der', type: 'spki' });
  return verify(null, createHash('sha256').update(Buffer.concat(hashed)).digest(), hostKey, signature);
}

describe('mlkem768x25519-sha256, with a recorded answer of OpenSSH', () => {
  it('computes the secret that OpenSSH has signed', () => {
    expect(serverBanner).toMatch(/^SSH-2\.0-OpenSSH_10/u);
    expect(isWhatOpensshSigned(hybrid.conclude(keys, bytesOf('serverReply')))).toBe(true);
  });

  it.each([
    ['the ML-KEM ciphertext', 0],
    ['the X25519 key', 1088],
  ])('computes another secret if a bit of %s differs', (_what, at) => {
    const reply = bytesOf('serverReply');
    reply[at] = (reply[at] ?? 0) ^ 1;
    expect(isWhatOpensshSigned(hybrid.conclude(keys, reply))).toBe(false);
  });

  it('answers a client with those keys so that both sides compute the same secret', () => {
    const { reply, secret } = hybrid.respond(init);
    expect(reply).toHaveLength(1120);
    expect(hybrid.conclude(keys, reply)).toEqual(secret);
    const others = { ...keys, x25519: generateKeyPairSync('x25519') };
    expect(hybrid.conclude(others, reply)).not.toEqual(secret);
  });
});
