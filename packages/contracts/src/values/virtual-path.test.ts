import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCodedError } from '../errors/coded-error.ts';
import {
  isWithin,
  joinVirtualPath,
  maxNameBytes,
  maxPathBytes,
  nameOf,
  parentOf,
  parseVirtualPath,
  resolveVirtualPath,
  rootPath,
  segmentsOf,
  virtualPathOf,
} from './virtual-path.ts';

const refused = (work: () => unknown): boolean => {
  try {
    work();
    return false;
  } catch (error) {
    if (isCodedError(error, 'path_invalid')) return true;
    throw error;
  }
};

describe('reading a path', () => {
  test.each([
    ['/', '/'],
    ['', '/'],
    ['inbox', '/inbox'],
    ['/inbox/', '/inbox'],
    ['/inbox/a b.csv', '/inbox/a b.csv'],
    ['/r\u030ceka', '/\u0159eka'],
    ['/back\\slash', '/back\\slash'],
    ['/...', '/...'],
  ])('%j is %j', (input, path) => {
    expect(parseVirtualPath(input)).toBe(path);
    expect(parseVirtualPath(Buffer.from(input))).toBe(path);
  });

  test.each([
    '//',
    '/a//b',
    '/.',
    '/..',
    '/a/../b',
    './a',
    '/a\u0000b',
    '/a\nb',
    '/a\u007fb',
    '/\ud800',
    `/${'x'.repeat(256)}`,
  ])('%j is refused', (input) => {
    expect(refused(() => parseVirtualPath(input))).toBe(true);
  });

  test('bytes that are not UTF-8 are refused', () => {
    expect(refused(() => parseVirtualPath(Buffer.from([0x2f, 0xff])))).toBe(true);
    expect(refused(() => parseVirtualPath(Buffer.from([0x2f, 0xc0, 0xaf])))).toBe(true);
  });

  test('limits count bytes of UTF-8', () => {
    const longest = 'ř'.repeat(127);
    expect(nameOf(parseVirtualPath(`/${longest}x`))).toBe(`${longest}x`);
    expect(refused(() => parseVirtualPath(`/${longest}ř`))).toBe(true);
    const deep = Array.from({ length: 17 }, () => 'x'.repeat(maxNameBytes));
    expect(refused(() => virtualPathOf(deep))).toBe(true);
    expect(virtualPathOf(deep.slice(0, 16)).length).toBe(maxPathBytes);
  });
});

describe('resolving as a POSIX client means it', () => {
  test.each([
    ['/inbox', '..', '/'],
    ['/inbox', '../../..', '/'],
    ['/inbox', './a//b/.', '/inbox/a/b'],
    ['/inbox', '/outbox/../archive', '/archive'],
    ['/', '', '/'],
  ])('from %j, %j is %j', (base, input, path) => {
    expect(resolveVirtualPath(parseVirtualPath(base), input)).toBe(path);
  });
});

describe('whatever comes in', () => {
  test('parsing a clean path again changes nothing, and its parts form the path', () => {
    const name = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !refused(() => virtualPathOf([text])));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), (names) => {
        const path = virtualPathOf(names);
        expect(parseVirtualPath(path)).toBe(path);
        expect(virtualPathOf(segmentsOf(path))).toBe(path);
        expect(joinVirtualPath(parentOf(path), nameOf(path))).toBe(path);
        expect(isWithin(path, parentOf(path))).toBe(true);
        expect(isWithin(parentOf(path), path)).toBe(false);
      }),
    );
  });
});

test('a name that only begins alike is not within', () => {
  expect(isWithin(parseVirtualPath('/inbox2/a'), parseVirtualPath('/inbox'))).toBe(false);
  expect(isWithin(parseVirtualPath('/inbox'), rootPath)).toBe(true);
});

test('a name that is too long is refused before it is normalised, and one that normalising shortens is not', () => {
  // The syllable of three jamo has 9 bytes, and 3 when they are composed: the most that normalising saves.
  const syllables = '\u1112\u1161\u11ab'.repeat(85);
  expect(Buffer.byteLength(nameOf(parseVirtualPath(syllables)))).toBe(maxNameBytes);
  const before = process.threadCpuUsage();
  expect(refused(() => parseVirtualPath(`/a${'\u0345'.repeat(60_000)}${'\u0334'.repeat(60_000)}`))).toBe(true);
  const { user, system } = process.threadCpuUsage(before);
  // Normalising it takes more than 10 s of the processor.
  expect(user + system).toBeLessThan(5_000_000);
});
