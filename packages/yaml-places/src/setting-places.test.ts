import { describe, expect, it } from 'vitest';
import { isScalar, parseDocument } from 'yaml';
import { createSettingPlaces } from './setting-places.ts';

const text = `actors:
  - name: &name acme
    users: [{ name: *name, role: "a b" }]
    notes: |
      first
      second
    empty:
`;
const places = createSettingPlaces(parseDocument(text));

describe('the places of the settings of a document', () => {
  it.each([
    [['actors'], 'actors:'],
    [['actors', '0'], 'name: &name'],
    [['actors', '0', 'users', '0', 'role'], 'role:'],
    [['actors', '0', 'empty'], 'empty:'],
    // The nearest around it.
    [['actors', '0', 'users', '0', 'missing', 'more'], '{ name: *name'],
    [['actors', '7'], 'actors:'],
    [['actors', '0', 'empty', 'more'], 'empty:'],
  ])('%j begins at %s', (path, begins) => {
    expect(text.slice(places.offsetOf(path)).startsWith(begins)).toBe(true);
  });

  it.each([[[]], [['missing']], [['__proto__']]])('%j has none', (path) => {
    expect(places.offsetOf(path)).toBeUndefined();
  });

  it.each([
    ['of a quoted text, exactly', ['actors', '0', 'users', '0', 'role'], 2, 'b" }]'],
    ['of a text that is written otherwise, at its beginning', ['actors', '0', 'notes'], 7, '|\n'],
    ['of a setting that is missing, at the nearest around it', ['actors', '0', 'missing'], 2, 'name: &name'],
  ])('include characters %s', (_what, path, index, begins) => {
    expect(text.slice(places.offsetOf(path, index)).startsWith(begins)).toBe(true);
  });

  it('have values, and tell an empty one from one that is missing', () => {
    const written = (path: readonly string[]): unknown => {
      const value = places.valueAt(path);
      return isScalar(value) ? value.value : value;
    };
    expect(written(['actors', '0', 'name'])).toBe('acme');
    expect(written(['actors', '0', 'empty'])).toBeNull();
    expect(written(['actors', '0', 'missing'])).toBeUndefined();
  });
});
