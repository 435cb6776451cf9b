import { stringify } from 'yaml';
import type { Difference } from './difference.ts';

const longest = 100;
/** Texts that a workflow hands on, credentials for other systems among them. */
const confidential: ReadonlySet<string> = new Set(['variables', 'with']);

/** A difference as a person reads it: `limits.files: 100 -> 200`. */
export function describeDifference({ place, before, after }: Difference): string {
  if (place.split(/[.[]/u).some((step) => confidential.has(step))) return `${place}: changed (values are not shown)`;
  return `${place}: ${show(before)} -> ${show(after)}`;
}

function show(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  const text = stringify(withoutConfidential(value), { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

function withoutConfidential(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutConfidential);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]): [string, unknown] => [
    name,
    confidential.has(name) ? '(not shown)' : withoutConfidential(part),
  ]);
  return Object.fromEntries(parts);
}
