import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { Algorithms, Connection } from 'ssh2';
import { isObject, method, property } from './insides-of-ssh2.ts';

const requireOfSsh2 = createRequire(import.meta.url);

/*
 * Access to ssh2 that a safe server needs and its interface does not offer. The version is pinned; each function throws if
 * the internals are not as expected, so that an upgrade fails in the first test and not in production.
 */

/** Without its native part ssh2 is many times slower. @throws Error that says what to do */
export function requireNativeCiphers(): void {
  const ciphers: unknown = requireOfSsh2('ssh2/lib/protocol/crypto.js');
  if (property(ciphers, 'bindingAvailable') === true) return;
  throw new Error("ssh2's native ciphers are not built for this Node: install again with a compiler at hand");
}

/** The key exchange that the patch of ssh2 adds, which its types do not declare. */
export const hybridKeyExchange = 'mlkem768x25519-sha256';

type KexAlgorithm = Extract<NonNullable<Algorithms['kex']>, string[]>[number];

/** @throws Error that says what to do, if this ssh2 does not support `hybridKeyExchange` */
export function requireHybridKeyExchange(): void {
  if (isKexAlgorithm(hybridKeyExchange)) return;
  throw new Error(`ssh2 has no ${hybridKeyExchange}: install again with its patch, and run on Node 24.7 or newer`);
}

/** Whether this ssh2 supports a key exchange. */
export function isKexAlgorithm(name: string): name is KexAlgorithm {
  const supported = property(requireOfSsh2('ssh2/lib/protocol/constants.js'), 'SUPPORTED_KEX');
  return Array.isArray(supported) && supported.includes(name);
}

/** A signature in SSH's wire format, from OpenSSL's: those of ECDSA differ (RFC 5656, section 3.1.2). */
export function sshSignatureOf(signature: Buffer, keyType: string): Buffer {
  const converted = method(requireOfSsh2('ssh2/lib/protocol/utils.js'), 'convertSignature')(signature, keyType);
  if (!Buffer.isBuffer(converted)) throw new TypeError(`ssh2: no signature of ${keyType} was made`);
  return converted;
}

/** The results of the first and the latest key exchange of a connection. */
export function exchangeOf(client: Connection): { sessionId: Buffer; hostKeyAlgorithm: unknown } {
  const exchange = property(property(client, '_protocol'), '_kex');
  const sessionId = property(exchange, 'sessionID');
  if (!Buffer.isBuffer(sessionId)) throw new TypeError('ssh2: a connection has no session id');
  return { sessionId, hostKeyAlgorithm: property(property(exchange, 'negotiated'), 'serverHostKey') };
}

/** Announces the public keys of the server to a client that has logged in (from the patch of ssh2). */
export function sendHostKeys(client: Connection, publicBlobs: readonly Buffer[]): void {
  const protocol = property(client, '_protocol');
  Reflect.apply(method(protocol, 'openssh_hostKeys'), protocol, [publicBlobs]);
}

/** Ends a connection with a message, which OpenSSH's client shows (the text is from the patch of ssh2). */
export function disconnectWith(client: Connection, text: string): void {
  const protocol = property(client, '_protocol');
  const socket = socketOf(client);
  if (!socket.writable) return;
  Reflect.apply(method(protocol, 'disconnect'), protocol, [disconnectReason.byApplication, text]);
  socket.end();
}

/** RFC 4253, section 11.1. */
const disconnectReason = { byApplication: 11 } as const;

/**
 * Answers global requests with that name from logged-in clients; undefined refuses one. ssh2 passes on only those that
 * it knows. It answers the others immediately, so that the responses stay in order.
 */
export function onGlobalRequest(
  client: Connection,
  wanted: string,
  answer: (data: Buffer) => Buffer | undefined,
): void {
  const protocol = property(client, '_protocol');
  const handlers = property(protocol, '_handlers');
  const pass = method(handlers, 'GLOBAL_REQUEST');
  if (!isObject(handlers)) throw new TypeError('ssh2: a protocol has no handlers');
  Reflect.set(handlers, 'GLOBAL_REQUEST', (...request: unknown[]) => {
    const [, name, wantsReply, data] = request;
    const isAnswered = name === wanted && wantsReply === true && property(client, 'authenticated') === true;
    const reply = isAnswered && Buffer.isBuffer(data) ? answer(data) : undefined;
    if (reply === undefined) Reflect.apply(pass, handlers, request);
    else Reflect.apply(method(protocol, 'requestSuccess'), protocol, [reply]);
  });
}

/** A key exchange that is about to begin. */
export interface BeginningExchange {
  readonly method: string;
  readonly hostKeyAlgorithm: string;
  /** The first of a connection, or one that the server has requested. */
  readonly isExpected: boolean;
}

/** Asks before each key exchange, when it has cost nothing yet, whether it may begin (from the patch of ssh2). */
export function onKeyExchange(client: Connection, mayBegin: (exchange: BeginningExchange) => boolean): void {
  const handlers = property(property(client, '_protocol'), '_handlers');
  if (!isObject(handlers)) throw new TypeError('ssh2: a protocol has no handlers');
  Reflect.set(handlers, 'KEXINIT', (_protocol: unknown, negotiated: unknown, isExpected: unknown) =>
    mayBegin({
      method: String(property(negotiated, 'kex')),
      hostKeyAlgorithm: String(property(negotiated, 'serverHostKey')),
      isExpected: isExpected === true,
    }),
  );
}

/** Whether keys are being exchanged: ssh2 then queues everything to send, without a limit. */
export function isExchangingKeys(client: Connection): boolean {
  return property(property(client, '_protocol'), '_kexinit') !== undefined;
}

/** The socket below a connection. */
export function socketOf(client: Connection): Socket {
  const socket = property(client, '_sock');
  if (!(socket instanceof Socket)) throw new TypeError('ssh2: a connection has no socket');
  return socket;
}

/**
 * Calls `onViolation`, instead of accepting the data, if a client sends more than the channel's window allows (RFC
 * 4254, section 5.2). ssh2 silently drops such data, which would leave a hole in an upload.
 */
export function guardReceiveWindow(client: Connection, onViolation: () => void): void {
  const handlers = property(property(client, '_protocol'), '_handlers');
  const channels = property(client, '_chanMgr');
  const deliver = method(handlers, 'CHANNEL_DATA');
  const channelOf = method(channels, 'get');
  if (!isObject(handlers)) throw new TypeError('ssh2: a protocol has no handlers');
  Reflect.set(handlers, 'CHANNEL_DATA', (protocol: unknown, recipient: unknown, data: Buffer) => {
    const window = receiveWindowOf(Reflect.apply(channelOf, channels, [recipient]));
    if (window !== undefined && data.length > window) onViolation();
    else Reflect.apply(deliver, handlers, [protocol, recipient, data]);
  });
}

/**
 * Refuses, if a reply is wanted, requests on a channel that is already in use, such as PuTTY's
 * `winadj@putty.projects.tartarus.org` (RFC 4254, section 5.4). ssh2 never replies, and clients wait.
 */
export function refuseLateRequests(client: Connection): void {
  const protocol = property(client, '_protocol');
  const handlers = property(protocol, '_handlers');
  const channels = property(client, '_chanMgr');
  const pass = method(handlers, 'CHANNEL_REQUEST');
  const channelOf = method(channels, 'get');
  if (!isObject(handlers)) throw new TypeError('ssh2: a protocol has no handlers');
  Reflect.set(handlers, 'CHANNEL_REQUEST', (...request: unknown[]) => {
    const [, recipient, , wantsReply] = request;
    const entry = Reflect.apply(channelOf, channels, [recipient]);
    const channel = startedChannelOf(entry);
    if (channel === undefined || channel === entry) Reflect.apply(pass, handlers, request);
    else if (wantsReply === true) refuseOn(protocol, property(channel, 'outgoing'));
  });
}

/** Nothing may be sent on a channel after its CLOSE. */
function refuseOn(protocol: unknown, outgoing: unknown): void {
  const state = property(outgoing, 'state');
  if (state !== 'open' && state !== 'eof') return;
  Reflect.apply(method(protocol, 'channelFailure'), protocol, [property(outgoing, 'id')]);
}

function receiveWindowOf(entry: unknown): number | undefined {
  const channel = startedChannelOf(entry);
  if (!isObject(channel) || !('incoming' in channel)) return undefined;
  const window = property(channel.incoming, 'window');
  return typeof window === 'number' ? window : undefined;
}

/** The manager holds a session, which has its channel only after a subsystem or a command has started in it. */
function startedChannelOf(entry: unknown): unknown {
  return isObject(entry) && '_channel' in entry ? entry._channel : entry;
}
