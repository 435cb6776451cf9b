import { errorCodes } from '@waybill/contracts/errors/error-codes';
import type { Finding, SourceFile } from './source-file.ts';

const listPath = 'packages/contracts/src/errors/error-codes.ts';
const sources = /^(packages|services|tools)\/[^/]+\/src\/.*\.tsx?$/;

/**
 * Every code of the closed list is raised, or declared by an endpoint, somewhere. A `case` of the switches that turn
 * codes into statuses does not count: they have one for each code.
 */
export function checkErrorCodes(
  tree: readonly SourceFile[],
  codes: readonly string[] = Object.keys(errorCodes),
): Finding[] {
  const texts = tree
    .filter(({ path }) => sources.test(path) && path !== listPath && !path.endsWith('.test.ts'))
    .map(({ text }) => text.replaceAll(/^\s*case '\w+':/gm, ''));
  return codes
    .filter((code) => !texts.some((text) => text.includes(`'${code}'`)))
    .map((code) => ({ path: listPath, message: `nothing raises ${code}` }));
}
