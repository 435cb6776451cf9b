import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** How far a transfer is, in bytes. */
export interface TransferProgress {
  readonly bytes: number;
  readonly total: number;
}

/** What a caller may change about a transfer. */
export interface TransferOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
  /** How long a transfer may stand still before the last error is thrown, in milliseconds; 2 minutes by default. */
  readonly patienceMs?: number | undefined;
}

/** How long a transfer may stand still by default. */
export const usualPatienceMs = 120_000;

/** How long the platform may take to store a large file, in milliseconds. */
export const storingTimeoutMs = 600_000;

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256Of(file: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { ...(signal && { signal }) });
  return hash.digest('hex');
}
