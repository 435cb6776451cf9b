import { hash } from 'node:crypto';
import type { Signer } from '../keys/signer.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';

/** The Ed25519 signature type of signed notes. */
const ed25519 = Buffer.from([1]);
const signatureLine = /^— (\S+) ([\d+/A-Za-z]+={0,2})$/u;
/** More than any note of this log has. */
const limitCharacters = 64 * 1024;

/** A key as verifiers of signed notes read it: `<name>+<key id>+<key>`. `publicKey` is base64url. */
export function verifierKey(name: string, publicKey: string): string {
  const key = Buffer.concat([ed25519, Buffer.from(publicKey, 'base64url')]);
  return `${name}+${keyIdOf(name, publicKey).toString('hex')}+${key.toString('base64')}`;
}

/** Signs a text, which ends with a newline (C2SP signed-note). */
export function signNote(text: string, { name, signer }: { readonly name: string; readonly signer: Signer }): string {
  const signature = Buffer.from(signer.sign(text), 'base64url');
  const field = Buffer.concat([keyIdOf(name, signer.publicKey), signature]);
  return `${text}\n— ${name} ${field.toString('base64')}\n`;
}

/** The text of a note; `undefined` if it is not a signed note. */
export function noteText(note: string): string | undefined {
  return splitNote(note)?.text;
}

/** The trusted key under that name (base64url) that has signed the note; `undefined` if there is none. */
export function signedBy(note: string, name: string, trusted: TrustedKeys): string | undefined {
  const parts = splitNote(note);
  if (!parts) return undefined;
  for (const line of parts.signatures) {
    const [, signer, field = ''] = signatureLine.exec(line) ?? [];
    if (signer !== name) continue;
    const bytes = Buffer.from(field, 'base64');
    const signature = bytes.subarray(4).toString('base64url');
    const key = trusted.publicKeys.find((publicKey) => keyIdOf(name, publicKey).equals(bytes.subarray(0, 4)));
    if (key !== undefined && trusted.verify({ publicKey: key, text: parts.text, signature })) return key;
  }
  return undefined;
}

function splitNote(note: string): { text: string; signatures: string[] } | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || note.length > limitCharacters) return undefined;
  return { text: note.slice(0, end + 1), signatures: note.slice(end + 2, -1).split('\n') };
}

function keyIdOf(name: string, publicKey: string): Buffer {
  const text = Buffer.concat([Buffer.from(`${name}\n`), ed25519, Buffer.from(publicKey, 'base64url')]);
  return hash('sha256', text, 'buffer').subarray(0, 4);
}
