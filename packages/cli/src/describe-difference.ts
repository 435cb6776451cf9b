import { lastDayOf } from '@waybill/contracts/configuration/expiry';
import { stringify } from 'yaml';
import type { Difference } from './difference.ts';

const longest = 100;
/** Texts that a workflow hands on, credentials for other systems among them. */
const confidential: ReadonlySet<string> = new Set(['variables', 'with']);
/** Ends, which a configuration mostly gives as the last day. */
const ends: ReadonlySet<string> = new Set(['until', 'expires']);

/** A difference as a person reads it: `limits.files: 100 -> 200`. */
export function describeDifference({ place, before, after }: Difference): string {
  const steps = place.split(/[.[]/u);
  if (steps.some((step) => confidential.has(step))) return `${place}: changed (values are not shown)`;
  const name = steps.at(-1) ?? '';
  return `${place}: ${show(name, before)} -> ${show(name, after)}`;
}

function show(name: string, value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  const text = stringify(presentable(name, value), { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/** As in a configuration, but for what is confidential. */
function presentable(name: string, value: unknown): unknown {
  if (confidential.has(name)) return '(not shown)';
  if (ends.has(name) && typeof value === 'string') return lastDayOf(value) ?? value;
  if (Array.isArray(value)) return value.map((part) => presentable('', part));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, presentable(key, part)]));
}
