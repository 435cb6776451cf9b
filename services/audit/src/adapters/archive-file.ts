import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import type { NumberRange } from '../domain/redaction/number-ranges.ts';
import type { ArchiveFile } from '../domain/retention/archive-records.ts';

/**
 * Writes an archive durably, and reads it again: the verifier for auditors, which shares no code with the writer, must find
 * nothing. @throws Error with a sentence that names the file; no file is left then
 */
export async function writeArchiveFile(
  folder: string,
  range: NumberRange,
  content: { readonly lines: AsyncIterable<string>; readonly keys: string[] },
): Promise<ArchiveFile> {
  const draft = path.join(folder, `.${randomUUID()}.draft`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const hash = await write(draft, content.lines);
    await verify(draft, { ...range, hash, keys: content.keys });
    // Unique: of two processes that archive the same records, one removes its file again.
    const name = `waybill-audit-${range.first}-${range.last}-${randomBytes(8).toString('hex')}.ndjson`;
    await rename(draft, path.join(folder, name));
    await using handle = await open(folder, 'r');
    await handle.sync();
    return { name, hash };
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`records ${range.first} to ${range.last} could not be archived in ${folder}: ${reason}`, { cause });
  }
}

async function write(file: string, lines: AsyncIterable<string>): Promise<string> {
  const hash = createHash('sha256');
  const hashed = async function* hashed(): AsyncGenerator<string> {
    for await (const line of lines) {
      hash.update(line);
      yield line;
    }
  };
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(hashed(), { objectMode: false }), target);
  return hash.digest('hex');
}

async function verify(file: string, expected: NumberRange & { hash: string; keys: string[] }): Promise<void> {
  const hash = createHash('sha256');
  const chunks = createReadStream(file);
  chunks.on('data', (chunk) => hash.update(chunk));
  const lines = createInterface({ input: chunks, crlfDelay: Number.POSITIVE_INFINITY });
  const { findings, records } = await verifyAuditLog({ lines, keys: expected.keys, archive: true });
  const [first] = findings;
  if (first) throw new Error(`it was verified: ${first.kind} ${first.sequence}, ${first.message}`);
  if (records !== expected.last || hash.digest('hex') !== expected.hash)
    throw new Error('what was read is not what was written');
}
