import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { WriteCondition } from '@waybill/user-files/content/write-condition';

/**
 * The precondition of an upload (RFC 9110 section 13). Weak tags never match, nor do foreign ones.
 * @throws CodedError `file_request_invalid` if there are two
 */
export function writeConditionOf(headers: IncomingHttpHeaders): WriteCondition | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch === undefined) return ifNoneMatch === undefined ? undefined : { kind: 'absent' };
  if (ifNoneMatch !== undefined) {
    throw new CodedError('file_request_invalid', { detail: 'if-match: cannot be together with if-none-match' });
  }
  if (ifMatch === '*') return { kind: 'present', digests: 'anything' };
  const digests = [...ifMatch.matchAll(/(?<weak>W\/)?"(?<tag>[^"]*)"/gu)].flatMap(({ groups }) =>
    groups?.['weak'] === undefined ? [groups?.['tag'] ?? ''] : [],
  );
  return { kind: 'present', digests };
}
