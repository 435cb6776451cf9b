import { isUtf8 } from 'node:buffer';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { valuesOf } from '../body/parse-body.ts';

/**
 * The values of the query of a target by name: a string, or a list of them if a name occurs more than once. A `%` that begins no
 * encoded byte is itself, as in the URL Standard.
 * @throws CodedError `validation_failed` for bytes that are not UTF-8: read as U+FFFD, they would name something else
 */
export function queryValues(target: string): Record<string, string | string[]> {
  const start = target.indexOf('?');
  const query = start === -1 ? '' : target.slice(start + 1);
  if (query.includes('%')) assertUtf8(query);
  return valuesOf(new URLSearchParams(query));
}

function assertUtf8(query: string): void {
  const broken = query.split('&').filter((part) => !isUtf8(bytesOf(part)));
  if (broken.length === 0) return;
  const message = 'is not in UTF-8';
  const names = broken.map((part) => (part.split('=', 1)[0] ?? '').replaceAll('+', ' '));
  const fields = [...new Set(names)].map((field) => ({ field, message }));
  throw new CodedError('validation_failed', {
    detail: fields.map(({ field }) => `${field}: ${message}`).join('; '),
    fields,
  });
}

/** Node shows the bytes of a target as characters of one byte each. */
function bytesOf(part: string): Buffer {
  const decoded = part.replaceAll(/%([\da-f]{2})/giu, (_match, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}
