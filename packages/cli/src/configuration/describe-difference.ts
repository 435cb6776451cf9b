import { lastDayOf } from '@waybill/contracts/configuration/expiry';
import { isConfidential } from '@waybill/directory/differences/confidential-value';
import type { Difference } from '@waybill/directory/differences/difference';
import { stringify } from 'yaml';

const longest = 100;
/** Texts that a workflow passes on, or its tests give it, which may include credentials for other systems. */
const handedOn: ReadonlySet<string> = new Set(['variables', 'with', 'tests']);
/** Expiries, which a configuration usually gives as the last day. */
const ends: ReadonlySet<string> = new Set(['until', 'expires', 'keyExpires']);

/**
 * A difference as text: `limits.files: 100 -> 200`. Possible secrets that a workflow passes on are not shown; `filled`
 * are the texts with values of the environment.
 */
export function describeDifference({ place, before, after }: Difference, filled: ReadonlySet<string>): string {
  const steps = place.split(/[.[]/u);
  const name = steps.at(-1) ?? '';
  const isHandedOn = steps.some((step) => handedOn.has(step));
  if (isHandedOn && [before, after].some((value) => isConfidential(name, value, filled))) {
    return `${place}: changed (values are not shown)`;
  }
  const show = (value: unknown): string => shown(presentable({ name, isHandedOn, filled }, value));
  // The origin of a value that is no longer in the configuration is unknown.
  const isRemoved = after === undefined || after === null;
  const old = isRemoved ? shown(presentable({ name, isHandedOn, filled: everything }, before)) : show(before);
  return `${place}: ${old} -> ${show(after)}`;
}

/** A text with line breaks is shown with escapes: its lines are not to be taken for changes. */
const onOneLine = {
  collectionStyle: 'flow',
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const;

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  const text = stringify(value, onOneLine).trimEnd();
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/** Treats every value as one from the environment. */
const everything: Pick<ReadonlySet<string>, 'has'> = { has: () => true };

interface Setting {
  readonly name: string;
  readonly isHandedOn: boolean;
  readonly filled: Pick<ReadonlySet<string>, 'has'>;
}

/** As in a configuration, without possible secrets. */
function presentable({ name, isHandedOn, filled }: Setting, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (isHandedOn && isConfidential(name, value, filled)) return '(not shown)';
  if (ends.has(name) && typeof value === 'string') return lastDayOf(value) ?? value;
  if (Array.isArray(value)) return value.map((part) => presentable({ name: '', isHandedOn, filled }, part));
  if (typeof value !== 'object') return value;
  const within = isHandedOn || handedOn.has(name);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      presentable({ name: key, isHandedOn: within || handedOn.has(key), filled }, part),
    ]),
  );
}
