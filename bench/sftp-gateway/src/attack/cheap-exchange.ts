import { createCipheriv, createDecipheriv, createECDH, createHash, randomBytes } from 'node:crypto';
import { string, stringsOf, mpint } from './ssh-strings.ts';

/** Methods of key exchange whose public key an attacker need not compute, and whose secret it can read directly. */
export const attackedMethods = [
  'diffie-hellman-group18-sha512',
  'diffie-hellman-group16-sha512',
  'ecdh-sha2-nistp521',
] as const;
export type AttackedMethod = (typeof attackedMethods)[number];

const point = pointOfOne();
/** In GCM the last eight bytes count packets (RFC 5647, section 7.1). */
export interface Direction {
  readonly key: Buffer;
  iv: Buffer;
}

/** What an attacker sends to begin an exchange; with the private exponent 1 it is always the same. */
export function cheapInit(method: AttackedMethod): { readonly kexInit: Buffer; readonly publicKey: Buffer } {
  const hostKeys = 'rsa-sha2-512,ssh-ed25519,ecdsa-sha2-nistp256';
  const [cipher, mac] = ['aes128-gcm@openssh.com', 'hmac-sha2-256'];
  const lists = [method, hostKeys, cipher, cipher, mac, mac, 'none', 'none', '', ''].map((list) => string(list));
  const kexInit = Buffer.concat([Buffer.of(20), randomBytes(16), ...lists, Buffer.alloc(5)]);
  return { kexInit, publicKey: method.startsWith('ecdh') ? point : Buffer.of(2) };
}

/** The keys after an exchange with `cheapInit`, whose secret is in the server's own public key. */
export function keysOfExchange(exchange: {
  readonly method: AttackedMethod;
  readonly banners: readonly [ours: string, theirs: string];
  readonly kexInits: readonly [ours: Buffer, theirs: Buffer];
  readonly reply: Buffer;
  readonly sessionId: Buffer | undefined;
}): { readonly sessionId: Buffer; readonly out: Direction; readonly in: Direction } {
  const { method, banners, kexInits } = exchange;
  const [hostKey, theirKey] = stringsOf(exchange.reply.subarray(1));
  if (hostKey === undefined || theirKey === undefined) throw new Error('a wrong reply');
  const isCurve = method.startsWith('ecdh');
  const secret = isCurve ? mpint(theirKey.subarray(1, 67)) : theirKey;
  const { publicKey } = cheapInit(method);
  const hashed = [...banners, ...kexInits, hostKey, publicKey, theirKey, secret].map((part) => string(part));
  const hash = sha512(hashed);
  const sessionId = exchange.sessionId ?? hash;
  const derive = (letter: string, length: number): Buffer =>
    sha512([string(secret), hash, Buffer.from(letter), sessionId]).subarray(0, length);
  return {
    sessionId,
    out: { key: derive('C', 16), iv: derive('A', 12) },
    in: { key: derive('D', 16), iv: derive('B', 12) },
  };
}

/** An SSH packet, encrypted if there are keys. */
export function seal(payload: Buffer, keys: Direction | undefined): Buffer {
  const block = keys === undefined ? 8 : 16;
  const counted = payload.length + (keys === undefined ? 5 : 1);
  const padding = 2 * block - (counted % block);
  const packet = string(Buffer.concat([Buffer.of(padding), payload, Buffer.alloc(padding)]));
  if (keys === undefined) return packet;
  const aes = createCipheriv('aes-128-gcm', keys.key, keys.iv).setAAD(packet.subarray(0, 4));
  keys.iv = nextIv(keys.iv);
  return Buffer.concat([packet.subarray(0, 4), aes.update(packet.subarray(4)), aes.final(), aes.getAuthTag()]);
}

/** The first received packet; undefined while it is not complete. */
export function unseal(received: Buffer, keys: Direction | undefined) {
  const tag = keys === undefined ? 0 : 16;
  if (received.length < 4) return undefined;
  const end = 4 + received.readUInt32BE();
  if (received.length < end + tag) return undefined;
  let body: Buffer = received.subarray(4, end);
  if (keys !== undefined) {
    const aes = createDecipheriv('aes-128-gcm', keys.key, keys.iv).setAAD(received.subarray(0, 4));
    body = aes.update(body);
    keys.iv = nextIv(keys.iv);
  }
  return { payload: body.subarray(1, body.length - body.readUInt8(0)), rest: received.subarray(end + tag) };
}

function sha512(parts: readonly Buffer[]): Buffer {
  return createHash('sha512').update(Buffer.concat(parts)).digest();
}

function nextIv(iv: Buffer): Buffer {
  const next = Buffer.from(iv);
  next.writeBigUInt64BE(BigInt.asUintN(64, next.readBigUInt64BE(4) + 1n), 4);
  return next;
}

function pointOfOne(): Buffer {
  const curve = createECDH('secp521r1');
  curve.setPrivateKey(Buffer.of(1));
  return curve.getPublicKey();
}
