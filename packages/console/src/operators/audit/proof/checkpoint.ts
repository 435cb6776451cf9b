import { type Bytes, bytesOf, fromBase64, hexOf, sha256 } from './hashes.ts';

/** A checkpoint (C2SP tlog-checkpoint), whose signatures are not verified yet. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Bytes;
  /** What is signed. */
  readonly text: string;
  readonly signatures: readonly string[];
}

/** A verifier key, and the sizes of the tree that it signs. */
export interface KeyValidity {
  readonly key: string;
  readonly from: number;
  /** Null for the key that signs now. */
  readonly to: number | null;
}

/** Reads a signed note; undefined if it has no checkpoint. */
export function parseCheckpoint(note: string): Checkpoint | undefined {
  const end = note.lastIndexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const [, origin, size, root] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([+/\dA-Za-z]{43}=)\n/u.exec(text) ?? [];
  if (origin === undefined || root === undefined) return undefined;
  const signatures = note.slice(end + 1).split('\n');
  return { origin, size: Number(size), root: fromBase64(root), text, signatures };
}

/** Names of the witnesses that have cosigned a checkpoint, as it says. */
export function cosignersOf({ origin, signatures }: Checkpoint): string[] {
  const names = signatures.filter((line) => line.startsWith('— ')).map((line) => line.split(' ')[1] ?? '');
  return names.filter((name) => name !== origin);
}

/** The key whose signature of a checkpoint is valid, of those that may sign its size. */
export async function signerOf(checkpoint: Checkpoint, keys: readonly KeyValidity[]): Promise<string | undefined> {
  const { size } = checkpoint;
  for (const { key, from, to } of keys) {
    if (from <= size && size <= (to ?? Infinity) && (await hasSigned(checkpoint, key))) return key;
  }
  return undefined;
}

async function hasSigned({ text, signatures, origin }: Checkpoint, key: string): Promise<boolean> {
  const [name = '', id = '', ...rest] = key.split('+');
  const bytes = fromBase64(rest.join('+'));
  if (name !== origin || bytes.length !== 33 || bytes[0] !== 1) return false;
  const computed = await sha256(bytesOf(`${name}\n`), bytes);
  if (hexOf(computed.slice(0, 4)) !== id) return false;
  const publicKey = await crypto.subtle.importKey('raw', bytes.slice(1), 'Ed25519', false, ['verify']);
  for (const line of signatures) {
    const [dash, signer, field = ''] = line.split(' ');
    const signature = fromBase64(field);
    if (dash !== '—' || signer !== name || hexOf(signature.slice(0, 4)) !== id) continue;
    if (await crypto.subtle.verify('Ed25519', publicKey, signature.slice(4), bytesOf(text))) return true;
  }
  return false;
}
