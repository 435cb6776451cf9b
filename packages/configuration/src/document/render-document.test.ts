import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpolate } from './interpolate.ts';
import { parseDocument } from './parse-document.ts';
import { renderDocument } from './render-document.ts';

const text = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom('$', '{', '}', 'NAME', ':-', ' ', '\n', 'a', "'", '#')).map((parts) => parts.join('')),
);

describe('a rendered document', () => {
  it.each(['yaml', 'json'] as const)('in %s is read with the same values, whatever its texts are', (format) => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/u), fc.oneof(text, fc.array(text))), (values) => {
        const document = { first: 1, ...values };
        const { value } = parseDocument(renderDocument(document, format), 'exported');
        expect(interpolate(value, {})).toEqual(document);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what is not seen, or moves the cursor of a terminal,', () => {
  const hostile = 'a\u202Eb\u009B2J\u2028c\u200D\u{E0041}\u0085\u007F\uFEFF\nFAKE LINE';

  it.each(['yaml', 'json'] as const)('is escaped in %s, in texts and in names, and is read as it was', (format) => {
    const document = { text: hostile, lines: ['plain', hostile], [`k\u202E`]: { 'a: \u200B#': 'é 😀' } };
    const rendered = renderDocument(document, format);
    expect(rendered).not.toMatch(/[\u007F-\u009F\p{Cf}\u2028\u2029]/u);
    expect(rendered).toContain('é 😀');
    expect(parseDocument(rendered, 'exported').value).toEqual(document);
  });
});

describe('a document', () => {
  it.each([
    ['nested deeply in JSON', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['nested without end in YAML', `a: ${'['.repeat(100_000)}`],
    ['with aliases that grow without end', aliases()],
    ['that is a tab', 'a:\n\t- b: "'],
  ])('%s is refused without a crash', (_, document) => {
    expect(() => parseDocument(document, 'platform.yaml')).toThrow(/^platform\.yaml is /u);
  });
});

/** Each list has the one before nine times. */
function aliases(): string {
  const lists = Array.from({ length: 9 }, (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(',')}]`);
  return ['l0: &l0 [x]', ...lists].join('\n');
}
