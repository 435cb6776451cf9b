import { type Invocation, type Surroundings, UsageError } from '../command.ts';

const longest = 4_096;

/**
 * A password: `WAYBILL_PASSWORD`, the first line of standard input, or what the user types.
 * @throws UsageError that contains nothing of it
 */
export async function readPassword(
  { env, input, terminal }: Pick<Surroundings, 'env' | 'input' | 'terminal'>,
  question: string,
): Promise<string> {
  const given = env['WAYBILL_PASSWORD'] || (input ? await firstLine(input) : await terminal?.askSecretly(question));
  if (given) return given;
  throw new UsageError('give the password in WAYBILL_PASSWORD, on standard input, or at a terminal');
}

/** A code of a second factor: `--one-time-code`, or what the user types. @throws UsageError if there is no terminal to ask at */
export async function readOneTimeCode({ values, terminal }: Pick<Invocation, 'values' | 'terminal'>): Promise<string> {
  const given = values['one-time-code'];
  const code =
    typeof given === 'string'
      ? given
      : await terminal?.askSecretly('Code of the authenticator app, or a recovery code: ');
  if (code) return code;
  throw new UsageError('a second factor is needed: give --one-time-code <code>, or run the command at a terminal');
}

async function firstLine(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longest) throw new UsageError('the first line of standard input is too long for a password');
    if (chunk.includes(0x0a)) break;
  }
  return Buffer.concat(chunks).toString('utf8').split(/\r?\n/u, 1)[0] ?? '';
}
