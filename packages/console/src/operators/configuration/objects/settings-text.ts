import { LineCounter, parseDocument, stringify } from 'yaml';

/** A text that was read, or why it cannot be. */
export type ReadSettings = { readonly value: unknown } | { readonly error: string };

/** Settings as YAML. */
export function settingsText(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

/** Reads YAML, or JSON, which is YAML. */
export function readSettings(text: string): ReadSettings {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) return { error: error.message };
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return { value };
}

/** The line of a setting such as `acl[0].path`, or of the nearest one around it; undefined if there is none. */
export function lineOf(text: string, field: string): number | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const path = field.split(/[.[\]]+/u).filter((part) => part !== '');
  for (let length = path.length; length > 0; length -= 1) {
    const keys = path.slice(0, length).map((part) => (/^\d+$/u.test(part) ? Number(part) : part));
    const node: unknown = document.getIn(keys, true);
    const start = offsetOf(node);
    if (start !== undefined) return lines.linePos(start).line;
  }
  return undefined;
}

function offsetOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === 'number' ? start : undefined;
}
