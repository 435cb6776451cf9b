import { expect, it } from 'vitest';
import { configuredNameSchema, objectionToNewName, plainNameSchema } from './configured-names.ts';

it.each([
  ['a zero-width space', 'jane\u200B', 'U+200B'],
  ['a right-to-left override', '\u202Enimda', 'U+202E'],
  ['an isolate', 'ad\u2066min', 'U+2066'],
  ['a soft hyphen', 'admin\u00AD', 'U+00AD'],
  ['a variation selector', 'admin\uFE0F', 'U+FE0F'],
  ['a variation selector beyond the basic plane', 'admin\u{E0100}', 'U+E0100'],
  ['a tag', 'admin\u{E0061}', 'U+E0061'],
  ['a Hangul filler', 'admin\u3164', 'U+3164'],
  ['a byte order mark', '\uFEFFadmin', 'U+FEFF'],
  ['a word joiner', 'ad\u2060min', 'U+2060'],
  ['a line separator', 'ad\u2028min', 'U+2028'],
])('a name with %s could be taken for another one', (_, name, code) => {
  expect(objectionToNewName(name)).toBe(`has the character ${code}, which is not seen`);
});

it.each(['.', '..'])('the name %s cannot stand in an address', (name) => {
  expect(objectionToNewName(name)).toBe('cannot stand in an address');
});

it.each([
  'admin',
  '...',
  '.profile',
  'a..b',
  'jane@example.org',
  'Łukasz',
  '北京',
  'नमस्ते',
  'دانا',
  '👋',
  'e\u0301a',
  'Default Queue',
  'a_b-c.d',
])('the name %s is seen as it is', (name) => {
  expect(objectionToNewName(name)).toBeUndefined();
});

it.each([configuredNameSchema, plainNameSchema])('an empty name has one fault', (schema) => {
  expect(schema.safeParse('').error?.issues).toHaveLength(1);
});
