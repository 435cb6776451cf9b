import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCodedError } from '../src/errors/coded-error.ts';
import {
  isWithin,
  maxNameBytes,
  maxPathBytes,
  parseVirtualPath,
  resolveVirtualPath,
  rootPath,
  segmentsOf,
  virtualPathOf,
} from '../src/values/virtual-path.ts';

const names = fc.constantFrom(
  '..',
  '.',
  '',
  '/',
  'a',
  '\u0000',
  '%2F',
  '%2e%2e',
  'é',
  'e\u0301',
  '\u2025',
  '\ud800',
  '\\',
);
const input = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }),
  fc.array(names, { maxLength: 40 }).map((parts) => parts.join('/')),
  fc.array(fc.tuple(names, fc.string({ maxLength: 60 })), { maxLength: 12 }).map((parts) => parts.flat().join('')),
  fc.nat(5_000).map((length) => 'ř/'.repeat(length)),
);
const readers = fc.constantFrom(
  parseVirtualPath,
  (text: string | Uint8Array) => resolveVirtualPath(rootPath, text),
  (text: string | Uint8Array) => resolveVirtualPath(parseVirtualPath('/inbox/deep'), text),
);

function pathOrRefusal(read: typeof parseVirtualPath, text: string | Uint8Array): string | undefined {
  try {
    return read(text);
  } catch (error) {
    if (isCodedError(error, 'path_invalid')) return undefined;
    throw error;
  }
}

/** What is wrong with a path that was let through; undefined when nothing is. */
function faultOf(path: string): string | undefined {
  if (!path.startsWith('/')) return 'not absolute';
  if (path !== path.normalize('NFC') || !path.isWellFormed()) return 'not normal';
  if (Buffer.byteLength(path) > maxPathBytes) return 'too long';
  for (const name of path === '/' ? [] : path.slice(1).split('/')) {
    if (/^\.{0,2}$|\p{Cc}/u.test(name)) return `a name ${JSON.stringify(name)}`;
    if (Buffer.byteLength(name) > maxNameBytes) return 'a name that is too long';
  }
  if (parseVirtualPath(path) !== path || resolveVirtualPath(rootPath, path) !== path) return 'read differently again';
  if (virtualPathOf(segmentsOf(parseVirtualPath(path))) !== path) return 'not the sum of its names';
  return isWithin(parseVirtualPath(path), rootPath) ? undefined : 'outside the root';
}

test('for any input the result is a clean path inside the root, or a refusal', () => {
  let paths = 0;
  fc.assert(
    fc.property(readers, input, (read, text) => {
      const path = pathOrRefusal(read, text);
      if (path === undefined) return;
      paths += 1;
      const fault = faultOf(path);
      if (fault !== undefined) throw new Error(`${JSON.stringify(path)}: ${fault}`);
    }),
    { numRuns: 120_000 },
  );
  // Both outcomes occurred often enough to be significant.
  expect(paths).toBeGreaterThan(10_000);
  expect(paths).toBeLessThan(110_000);
});
