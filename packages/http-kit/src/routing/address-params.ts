import { CodedError } from '@waybill/contracts/errors/coded-error';

/**
 * The parameters in an address. Express splits the match of a wildcard at its slashes and decodes each part;
 * joined, the parts are the path again. A whole path may be one part with encoded slashes (`inbox%2Fa.csv`), as
 * clients generated from the OpenAPI document send it. In a path of several parts an encoded slash would belong to
 * a name, which must not contain one, and an additional slash before the path would be lost in parsing.
 * @throws CodedError `validation_failed`
 */
export function addressParams(params: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : pathOf(value)]),
  );
}

function pathOf(names: readonly string[]): string {
  const [whole] = names;
  if (names.length === 1 && whole !== undefined) return whole;
  if (names.some((name) => name.includes('/')))
    refuse('encode all of its slashes as %2F, or none: a name has no slash');
  if (names.length > 1 && names[0] === '') refuse('a name is not empty');
  return names.join('/');
}

function refuse(rule: string): never {
  throw new CodedError('validation_failed', { detail: `The path is not valid: ${rule}` });
}
