import { secretBytesAtMost } from '@waybill/contracts/configuration/secret-reference';
import { readSecretFile } from '@waybill/service-kit/config/read-secret-file';
import { Secret } from '@waybill/service-kit/config/secret';
import { type Invocation, UsageError } from '../../command.ts';

/**
 * The value of a secret: the content of `--file`, or standard input; one newline at the end is not part of it.
 * @throws UsageError that contains nothing of the value
 */
export async function readSecretInput({ values: { file }, input }: Invocation): Promise<Secret> {
  if (typeof file === 'string') {
    const content = readSecretFile(file);
    if ('value' in content) return new Secret(content.value);
    throw new UsageError(`--file ${content.fault}`);
  }
  if (input === undefined) {
    throw new UsageError(
      'give the value on standard input or with --file <file>; an argument would be visible to others',
    );
  }
  const text = textOf(await readAtMost(input, secretBytesAtMost + 2));
  const value = text.replace(/\r?\n$/u, '');
  if (value === '') throw new UsageError('standard input is empty');
  if (Buffer.byteLength(value) > secretBytesAtMost) {
    throw new UsageError(`standard input has more than ${secretBytesAtMost / 1024} KiB`);
  }
  return new Secret(value);
}

async function readAtMost(input: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) break;
  }
  return Buffer.concat(chunks);
}

function textOf(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below.
  }
  throw new UsageError('standard input is not UTF-8 text');
}
