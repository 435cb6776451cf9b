import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { parseDocument, stringify } from 'yaml';
import { texts } from '../../texts/texts.ts';

const noted: ReadonlySet<string> = new Set(
  administeredResources.flatMap(({ times = [] }) => times.map(({ name }) => name)),
);

/** A text that was read, or why it cannot be. */
export type ReadSettings =
  | { readonly value: unknown }
  | { readonly error: string; readonly place?: { readonly line: number; readonly column: number } };

/** Settings as YAML. */
export function settingsText(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

/** Reads YAML, or JSON, which is YAML. */
export function readSettings(text: string): ReadSettings {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const [start] = error.linePos ?? [];
    return {
      error: texts.configuration.unreadable(error.message),
      ...(start && { place: { line: start.line, column: start.col } }),
    };
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return { value };
}

/** The settings of an object: its owner is none, nor is what the platform notes of it. */
export function withoutSource(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== 'source' && !noted.has(name)));
}
