import { describe, expect, it } from 'vitest';
import { joinFilePlace, knownPlaceOf, nameOfPlace, parseFilePlace, splitFilePlace } from './file-place.ts';

describe('a place of a file', () => {
  it.each([
    ['/inbox/a.csv', undefined, '/inbox/a.csv'],
    ['inbox/a.csv', undefined, '/inbox/a.csv'],
    ['globex-files:/inbox/a.csv', 'globex-files', '/inbox/a.csv'],
    ['globex-files:/', 'globex-files', '/'],
    // A colon after the first slash, or without a slash after it, belongs to a name.
    ['/a:/b', undefined, '/a:/b'],
    ['10:30.csv', undefined, '/10:30.csv'],
    ['two words:/b', undefined, '/two words:/b'],
  ])('%s', (text, vfs, path) => {
    const place = parseFilePlace(text);
    expect(splitFilePlace(place)).toEqual({ vfs, path });
    expect(parseFilePlace(place)).toBe(place);
  });

  it.each([
    'globex:/a/../../b',
    'globex:/..',
    'globex:/a//b',
    'globex:/a\0b',
    'globex:/\ud800',
    `globex:/${'x'.repeat(256)}`,
  ])('refuses what is no path in a VFS: %j', (text) =>
    expect(() => parseFilePlace(text)).toThrow(expect.objectContaining({ code: 'path_invalid' })),
  );

  it('can be lengthened, and has a name', () => {
    const place = joinFilePlace(parseFilePlace('globex:/'), 'inbox', 'a.csv');
    expect(place).toBe('globex:/inbox/a.csv');
    expect(nameOfPlace(place)).toBe('a.csv');
    expect(() => joinFilePlace(place, '../b')).toThrow(expect.objectContaining({ code: 'path_invalid' }));
  });

  it.each([
    ['globex:/inbox/${{ file.name }}', { vfs: 'globex', path: '/inbox', isWhole: false }],
    ['globex:/${{ file.name }}/x', { vfs: 'globex', path: '/', isWhole: false }],
    ['globex:/in${{ file.name }}', { vfs: 'globex', path: '/', isWhole: false }],
    ['globex:/inbox/a', { vfs: 'globex', path: '/inbox/a', isWhole: true }],
    ['/inbox/${{ file.name }}', { vfs: undefined, path: '/', isWhole: false }],
    ['${{ file.path }}', undefined],
    ['${{ variables.vfs }}:/inbox', undefined],
    ['glo${{ variables.rest }}:/inbox', undefined],
  ])('is known as far as its first expression: %s', (text, known) => expect(knownPlaceOf(text)).toEqual(known));
});
