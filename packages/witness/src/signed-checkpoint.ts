import { decodeBase64, type VerifierKey } from './verifier-key.ts';

/** A checkpoint of a log with its signatures (C2SP tlog-checkpoint, signed-note). */
export interface SignedCheckpoint {
  /** What is signed: all lines up to the blank one, with the newline before it. */
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  readonly signatures: readonly NoteSignature[];
}

/** One signature line. */
export interface NoteSignature {
  readonly line: string;
  readonly name: string;
  /** The first 4 bytes of the key id, in hexadecimal. */
  readonly id: string;
  readonly signature: Buffer;
}

const linesForm = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([\d+/A-Za-z]{43}=)\n(?:[^\n]+\n)*$/u;
const signatureForm = /^— ([^\s+]+) ([\d+/A-Za-z]+={0,2})$/u;
/** The specification asks for at least 16. */
const signaturesAtMost = 64;

/** Reads a checkpoint with its signatures, without verifying them; `undefined` if it has another form. */
export function parseSignedCheckpoint(note: string): SignedCheckpoint | undefined {
  const end = note.indexOf('\n\n') + 1;
  if (end === 0 || !note.endsWith('\n')) return undefined;
  const text = note.slice(0, end);
  const [, origin, digits, encodedRoot = ''] = linesForm.exec(text) ?? [];
  const [size, root] = [Number(digits), decodeBase64(encodedRoot)];
  const lines = note.slice(end + 1, -1).split('\n');
  if (origin === undefined || !root || !Number.isSafeInteger(size) || lines.length > signaturesAtMost) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name, encoded = ''] = signatureForm.exec(line) ?? [];
    const field = decodeBase64(encoded);
    if (name === undefined || !field || field.length <= 4) return undefined;
    signatures.push({ line, name, id: field.toString('hex', 0, 4), signature: field.subarray(4) });
  }
  return { text, origin, size, root, signatures };
}

/**
 * The signatures of trusted keys. Signatures of other keys are ignored; a signature that names a trusted key and does
 * not verify invalidates the whole note, so that the result is `undefined`, as it is without any.
 */
export function verifiedSignatures(
  { text, signatures }: SignedCheckpoint,
  keys: readonly VerifierKey[],
): readonly NoteSignature[] | undefined {
  const good: NoteSignature[] = [];
  for (const signed of signatures) {
    const key = keys.find(({ name, id }) => name === signed.name && id === signed.id);
    if (!key) continue;
    if (!key.verify(text, signed.signature)) return undefined;
    good.push(signed);
  }
  return good.length === 0 ? undefined : good;
}
