import { isCodedError } from '@waybill/contracts/errors/coded-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateText } from './evaluate-template.ts';

const quoted = (name: string): string => `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
const failure = (template: string, scope = {}): string => {
  try {
    evaluateText(template, scope);
  } catch (error) {
    if (isCodedError(error, 'expression_invalid')) return error.message;
    throw error;
  }
  return 'no failure';
};

describe('an expression', () => {
  it('finds values by dotted names, with or without spaces', () => {
    const scope = { file: { path: '/inbox/a.csv', name: 'a.csv' }, variables: { folder: '/outbox' }, job: { id: 7 } };
    expect(evaluateText('${{ variables.folder }}/${{file.name}}.gz', scope)).toBe('/outbox/a.csv.gz');
    expect(evaluateText('job ${{ job.id }}', scope)).toBe('job 7');
  });

  it('writes numbers, truth values, objects, arrays and null predictably', () => {
    const scope = { v: { n: 1.5, t: true, o: { a: 1 }, l: ['x'], z: null } };
    expect(evaluateText('${{ v.n }} ${{ v.t }} ${{ v.o }} ${{ v.l }} [${{ v.z }}]', scope)).toBe(
      '1.5 true {"a":1} ["x"] []',
    );
  });

  it.each([
    ['${{ file.path', '`}}` is expected at character 14'],
    ['${{ }}', 'an expression is expected at character 4'],
    ['${{ file. }}', 'The expression "file." is not valid: '],
    ['${{ file path }}', 'The expression "file path" is not valid: '],
    ['${{ file[0] }}', 'The expression "file[0]" cannot be evaluated: '],
    ["${{ 'open }}", 'the quote at character 5 is not closed'],
  ])('%s is refused with the reason', (template, message) => {
    expect(failure(template, { file: { path: '/a' } })).toContain(message);
  });

  it('says which name leads nowhere', () => {
    expect(failure('${{ variables.folder.name }}', { variables: { folder: 'x' } })).toContain(
      'there is no variables.folder.name',
    );
    expect(failure('${{ env.HOME }}')).toContain('there is no env');
  });

  it('reaches nothing but own members', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(failure(`\${{ variables.${name} }}`, { variables: {} })).toContain(`there is no variables.${name}`);
    }
  });

  it('does not change text without expressions', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('${{'));
        expect(evaluateText(text, {})).toBe(text);
      }),
    );
  });

  it('finds a value under any name and does not evaluate it, even if it looks like an expression', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.string(), fc.constant('${{ file.path }}')), (name, value) => {
        const variables = Object.fromEntries([[name, value]]);
        expect(evaluateText(`<\${{ variables${quoted(name)} }}>`, { variables })).toBe(`<${value}>`);
      }),
    );
  });

  it('fails in no other way than expression_invalid', () => {
    const piece = fc.oneof(fc.constantFrom('${{', '}}', '.', '[', ']', "'", '\\', ' ', 'file', 'x'), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(failure(pieces.join(''), { file: { x: '1' } })).toBeTypeOf('string');
      }),
    );
  });
});
