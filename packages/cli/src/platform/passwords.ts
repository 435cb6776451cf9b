import { type Invocation, type Surroundings, UsageError } from '../command.ts';

const longest = 4_096;

type Asking = Pick<Surroundings, 'env' | 'input' | 'terminal'>;

/** What a command asks for one after the other, and nobody may see. */
export interface Secrets extends AsyncDisposable {
  /** Whether a person answers, who may mistype. */
  readonly isTyped: boolean;
  /** What the person types, or the next line of standard input; empty if there is none. */
  ask(question: string): Promise<string>;
}

/** Asks at a terminal, or reads standard input if it is no terminal. Dispose of it: standard input is not read any longer. */
export function openSecrets({ input, terminal }: Pick<Surroundings, 'input' | 'terminal'>): Secrets {
  if (!input) {
    return {
      isTyped: terminal !== undefined,
      ask: async (question) => (await terminal?.askSecretly(question)) ?? '',
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const lines = linesOf(input);
  return {
    isTyped: false,
    ask: async () => {
      const { value, done } = await lines.next();
      return done === true ? '' : value;
    },
    [Symbol.asyncDispose]: async () => {
      await lines.return();
    },
  };
}

/** Lines are read when they are asked for: what is behind them may come later, or never. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let rest = Buffer.alloc(0);
  for await (const chunk of input) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      yield textOf(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    if (rest.length > longest) break;
  }
  yield textOf(rest);
}

function textOf(line: Buffer): string {
  if (line.length > longest) throw new UsageError('a line of standard input is too long for a password');
  return line.toString('utf8').replace(/\r$/u, '');
}

/**
 * A password: `WAYBILL_PASSWORD`, the first line of standard input, or what the user types.
 * @throws UsageError that contains nothing of it
 */
export async function readPassword(asking: Asking, question: string): Promise<string> {
  await using secrets = openSecrets(asking);
  return await presentPassword(asking, secrets, question);
}

/** A password as `readPassword` reads it, before other secrets. @throws UsageError that contains nothing of it */
export async function presentPassword(
  { env }: Pick<Asking, 'env'>,
  secrets: Secrets,
  question: string,
): Promise<string> {
  const given = env['WAYBILL_PASSWORD'] || (await secrets.ask(question));
  if (given) return given;
  throw new UsageError('give the password in WAYBILL_PASSWORD, on standard input, or at a terminal');
}

/** A password that is being chosen; a person types it twice. @throws UsageError that contains nothing of it */
export async function newPassword(secrets: Secrets, user: string): Promise<string> {
  const chosen = await secrets.ask(`New password of ${user}: `);
  if (!chosen) throw new UsageError('give the new password on standard input after the present one, or at a terminal');
  if (!secrets.isTyped || (await secrets.ask('The new password again: ')) === chosen) return chosen;
  throw new UsageError('the new passwords differ: nothing is changed');
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
