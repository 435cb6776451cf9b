import { CodedError } from '@waybill/contracts/coded-error';

/**
 * What an address holds beyond its pattern. Express splits what a wildcard matched at its slashes and decodes each part: put
 * together it is the path again. A slash that was encoded (`%2F`) would belong to a name, which no name may have, and one
 * more slash in front of the path would get lost when it is read.
 * @throws CodedError `validation_failed`
 */
export function addressParams(params: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : pathOf(value)]),
  );
}

function pathOf(names: readonly string[]): string {
  if (names.some((name) => name.includes('/'))) refuse('a name has no slash, not even as %2F');
  if (names.length > 1 && names[0] === '') refuse('a name is not empty');
  return names.join('/');
}

function refuse(rule: string): never {
  throw new CodedError('validation_failed', { detail: `The path is not valid: ${rule}` });
}
