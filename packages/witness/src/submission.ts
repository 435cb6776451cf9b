import { parseSignedCheckpoint, type SignedCheckpoint } from './signed-checkpoint.ts';
import { decodeBase64 } from './verifier-key.ts';

/** What a log submits to `add-checkpoint`. */
export interface Submission {
  readonly oldSize: number;
  /** The consistency proof from the old size to the checkpoint. */
  readonly proof: readonly Buffer[];
  readonly checkpoint: SignedCheckpoint;
}

const oldForm = /^old (0|[1-9]\d{0,15})$/u;
const hashForm = /^[\d+/A-Za-z]{43}=$/u;
const proofLinesAtMost = 63;

/** Reads the body of a request, strictly; `undefined` if it has another form than that of the specification. */
export function parseSubmission(body: Buffer): Submission | undefined {
  const text = decodeText(body);
  const end = text?.indexOf('\n\n') ?? -1;
  if (text === undefined || end < 0) return undefined;
  const [oldLine = '', ...proofLines] = text.slice(0, end).split('\n');
  const oldSize = Number(oldForm.exec(oldLine)?.[1]);
  const checkpoint = parseSignedCheckpoint(text.slice(end + 2));
  if (!Number.isSafeInteger(oldSize) || !checkpoint || proofLines.length > proofLinesAtMost) return undefined;
  const proof: Buffer[] = [];
  for (const line of proofLines) {
    const hash = hashForm.test(line) ? decodeBase64(line) : undefined;
    if (!hash) return undefined;
    proof.push(hash);
  }
  return { oldSize, proof, checkpoint };
}

/** A signed note is valid UTF-8 without other control characters than newlines. */
function decodeText(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return /[^\P{Cc}\n\u007F-\u009F]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
