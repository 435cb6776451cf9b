import { z } from 'zod';

/** Characters of a line in the log of a step, and of one of its inputs. */
const charactersAtMost = 1_000;

/** What is shown in the place of a secret. */
export const mask = '******';

/** Shorter texts are not looked for in messages: they would be found everywhere. */
const shortestSecret = 4;

/** Secrets that are looked for at most: of a job that has more, nothing is shown. */
const secretsAtMost = 1_000;

/** In a line, a longer secret is recognised by so many of its first characters: more than a line shows. */
const comparedInLine = 4_096;

const tellingPart = /passw|passphrase|passcode|pwd|secret|token|credential|authori[sz]ation|cookie|bearer/iu;
const tellingWord = /^(?:pass|pin|auth|keys?|[a-z]+key)$/u;

/** Whether a name says that its value is secret: `password`, `apiKey`, `client_secret`, `AUTH`. */
export function namesSecret(name: string): boolean {
  if (tellingPart.test(name)) return true;
  const words = name.replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2').split(/[^A-Za-z\d]+/u);
  return words.some((word) => tellingWord.test(word.toLowerCase()));
}

/** The value with each member masked whose name says that it is secret. */
export function maskMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskMembers);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, namesSecret(name) ? mask : maskMembers(member)]),
  );
}

/** The texts and numbers in the members of a value whose names say that they are secret. */
export function secretTextsOf(root: unknown): string[] {
  const found = new Set<string>();
  const waiting: { value: unknown; secret: boolean }[] = [{ value: root, secret: false }];
  for (let next = waiting.pop(); next && found.size < secretsAtMost; next = waiting.pop()) {
    const { value, secret } = next;
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [name, member] of Object.entries(value)) {
        waiting.push({ value: member, secret: secret || (!isList && namesSecret(name)) });
      }
    } else if (secret && (typeof value === 'string' || typeof value === 'number')) {
      found.add(String(value));
    }
  }
  return [...found];
}

/**
 * The text as one line that PostgreSQL can store: without control characters and lone surrogates, and not longer than
 * `charactersAtMost` characters.
 */
export function shorten(text: string): string {
  // Not more is looked at than can be shown: the text may be a file.
  const line = text.slice(0, charactersAtMost + 1).replaceAll(/\p{Cc}+/gu, ' ');
  const cut = text.length > charactersAtMost ? `${line.slice(0, charactersAtMost - 1)}…` : line;
  return cut.toWellFormed();
}

/** Masks secrets, wherever they occur. */
export interface Redact {
  /** The whole text. */
  text(text: string): string;
  /** What a line shows of the text. The time does not depend on the length of the text. */
  line(text: string): string;
}

/** Masks these texts, also as they stand in JSON and in paths; of two that begin alike, the longer one first. */
export function createRedact(secrets: Iterable<string>): Redact {
  const given = [...new Set(secrets)];
  if (given.length >= secretsAtMost) return { text: () => mask, line: () => mask };
  const known = [...new Set(given.flatMap(formsOf))]
    .filter((secret) => secret.length >= shortestSecret && secret !== mask)
    .toSorted((one, other) => other.length - one.length);
  const compared = [...new Set(known.map((secret) => secret.slice(0, comparedInLine)))];
  const longest = compared[0]?.length ?? 0;
  return {
    text: (text) => maskAll(text, known),
    line: (text) => {
      const head = text.slice(0, charactersAtMost + longest + 1);
      const masked = maskAll(head, compared);
      // The end may have cut a secret.
      return shorten(
        head.length === text.length ? masked : `${masked.slice(0, Math.max(0, masked.length - longest))}…`,
      );
    },
  };
}

function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), secret.normalize('NFC')];
}

function maskAll(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text);
}

/**
 * Whether a parameter of a task is secret: its name says so, or its schema does, with `.meta({ secret: true })`, which has to
 * be called after checks such as `min`.
 */
export function isSecretParameter(parameters: z.ZodType, name: string): boolean {
  return namesSecret(name) || (parameters instanceof z.ZodObject && isMarked(parameters.shape[name]));
}

function isMarked(parameter: unknown): boolean {
  for (let schema = parameter; schema instanceof z.ZodType; schema = schemaInside(schema)) {
    if (schema.meta()?.['secret'] === true) return true;
  }
  return false;
}

/** The schema that a wrapper such as `optional` or `transform` wraps. */
function schemaInside(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodPipe) return schema.in;
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly;
  return wraps ? schema.unwrap() : undefined;
}
