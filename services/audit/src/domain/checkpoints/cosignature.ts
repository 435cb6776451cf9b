import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { noteText } from './signed-note.ts';

/** A witness whose cosignatures are verified (C2SP tlog-cosignature, Ed25519). */
export interface WitnessKey {
  readonly name: string;
  /** `<name>+<key id>+<key>` */
  readonly verifierKey: string;
  readonly id: string;
  readonly publicKey: KeyObject;
}

/** A cosignature of a checkpoint. */
export interface Cosignature {
  readonly verifierKey: string;
  /** The signature line with its newline. */
  readonly line: string;
  /** The checkpoint, a signed note. */
  readonly note: string;
  readonly size: number;
}

const keyForm = /^([^\s+]+)\+([\da-f]{8})\+([\d+/A-Za-z]{44})$/u;
const cosignatureType = 4;
/** 4 bytes of the key id, 8 of the time, and 64 of the signature. */
const fieldLength = 76;

/** Reads a verifier key of a witness; `undefined` if the text is not one with Ed25519 (type 4). */
export function parseWitnessKey(verifierKey: string): WitnessKey | undefined {
  const [, name, id, encoded = ''] = keyForm.exec(verifierKey) ?? [];
  const key = Buffer.from(encoded, 'base64');
  if (name === undefined || id === undefined || key[0] !== cosignatureType) return undefined;
  if (hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), key]), 'hex').slice(0, 8) !== id) return undefined;
  const x = key.subarray(1).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return { name, verifierKey, id, publicKey };
}

/**
 * The line with which a witness has cosigned the checkpoint `note`, among the lines of its response; `undefined` if
 * there is none that verifies. Lines of other keys, such as ML-DSA ones, are ignored.
 */
export function findCosignature(lines: string, note: string, witness: WitnessKey): string | undefined {
  const text = noteText(note) ?? '';
  return lines
    .split('\n')
    .map((line) => `${line}\n`)
    .find((line) => isCosignature(line, text, witness));
}

function isCosignature(line: string, text: string, { name, id, publicKey }: WitnessKey): boolean {
  const [dash, signer, field = '', ...rest] = line.trimEnd().split(' ');
  const bytes = Buffer.from(field, 'base64');
  if (dash !== '—' || signer !== name || rest.length > 0 || bytes.length !== fieldLength) return false;
  if (bytes.toString('hex', 0, 4) !== id) return false;
  const signed = `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${text}`;
  return verify(null, Buffer.from(signed), publicKey, bytes.subarray(12));
}
