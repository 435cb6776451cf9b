import { createHash } from 'node:crypto';
import { isConfidential } from './confidential-value.ts';
import { type Difference, differencesOf } from './difference.ts';

/** All settings of an entity before and after a change; undefined if it did not or does not exist. */
export interface ChangedDefinition {
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

/** Texts that a workflow passes on, or its tests give it, which may include credentials for other systems. */
const handedOn: ReadonlySet<string> = new Set(['variables', 'with', 'tests']);
/** Outside of those: a user in an address, or a private key. */
const secretForm = /:\/\/[^/\s]*@|-----BEGIN [A-Z ]*PRIVATE KEY/u;
const notShown = '(not shown)';

const longestValue = 500;
const longestDifference = 8_192;

/**
 * The difference as it is recorded: JSON with `before` and `after`, which have the innermost values that differ by their
 * places. It has no possible secret: no text with a value from the environment (`filled`), and of what a workflow hands on
 * neither a value that looks like a secret nor a former one, whose origin is unknown. A value of more than 500 characters
 * is cut and has its SHA-256; of more than 8 192 characters in all, `omitted` counts the places that are left out.
 */
export function recordedDifference(changed: ChangedDefinition, filled: ReadonlySet<string>): string | undefined {
  const differences = shownDifferences(changed, filled);
  if (differences.length === 0) return undefined;
  const recorded = { before: new Map<string, unknown>(), after: new Map<string, unknown>() };
  let length = 0;
  let omitted = 0;
  for (const { place, ...shown } of differences) {
    length += 2 * place.length + lengthOf(shown.before) + lengthOf(shown.after);
    if (length > longestDifference) omitted += 1;
    else {
      for (const side of ['before', 'after'] as const) {
        if (shown[side] !== undefined) recorded[side].set(place, shown[side]);
      }
    }
  }
  return JSON.stringify({
    ...(changed.before && { before: Object.fromEntries(recorded.before) }),
    ...(changed.after && { after: Object.fromEntries(recorded.after) }),
    ...(omitted > 0 && { omitted }),
  });
}

/**
 * The innermost values in which the settings differ, as people may see them: without possible secrets, and cut if they are
 * long.
 */
export function shownDifferences({ before, after }: ChangedDefinition, filled: Filled): Difference[] {
  const differences = before && after ? differencesOf(before, after) : oneSided({ before, after });
  return differences.map((difference) => ({
    place: difference.place,
    before: presentable(difference.place, difference.before, everything),
    after: presentable(difference.place, difference.after, filled),
  }));
}

/** What exists only before, or only after, differs in each of its settings. */
function oneSided({ before, after }: ChangedDefinition): Difference[] {
  const settings = Object.entries(before ?? after ?? {}).filter(([, value]) => value !== undefined);
  return settings.map(([place, value]) =>
    before ? { place, before: value, after: undefined } : { place, before: undefined, after: value },
  );
}

/** Treats every value that a workflow hands on as one from the environment. */
const everything = { has: () => true };

type Filled = Pick<ReadonlySet<string>, 'has'>;

function presentable(place: Difference['place'], value: unknown, filled: Filled): unknown {
  if (value === undefined) return undefined;
  const steps = place.split(/[.[]/u);
  const whole = withoutSecrets(value, {
    name: steps.at(-1) ?? '',
    isHandedOn: steps.some((step) => handedOn.has(step)),
    filled,
  });
  if (isShort(whole)) return whole;
  const text = JSON.stringify(whole);
  if (text === undefined || text.length <= longestValue) return whole;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, longestValue)}... (${text.length} characters, SHA-256 ${sha256})`;
}

/** Shorter than `longestValue` in any case: JSON has six characters at most for each of a text. */
function isShort(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && value.length < 80);
}

function withoutSecrets(value: unknown, at: { name: string; isHandedOn: boolean; filled: Filled }): unknown {
  if (value === undefined || value === null) return undefined;
  const { name, isHandedOn, filled } = at;
  if (isHandedOn && isConfidential(name, value, filled)) return notShown;
  if (typeof value === 'string' && (secretForm.test(value) || (filled !== everything && filled.has(value))))
    return notShown;
  if (Array.isArray(value)) return value.map((part) => withoutSecrets(part, { ...at, name: '' }) ?? null);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      withoutSecrets(part, { name: key, isHandedOn: isHandedOn || handedOn.has(key), filled }),
    ]),
  );
}

function lengthOf(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
