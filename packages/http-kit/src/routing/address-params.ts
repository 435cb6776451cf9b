import { CodedError } from '@waybill/contracts/errors/coded-error';

/**
 * What an address holds beyond its pattern. Express splits what a wildcard matched at its slashes and decodes each part: put
 * together it is the path again. A whole path may be one part with its slashes encoded (`inbox%2Fa.csv`): clients that are
 * generated from the OpenAPI document send it so. In a path of several parts an encoded slash would belong to a name, which no
 * name may have, and one more slash in front of the path would get lost when it is read.
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
