import { isCodedError } from '@waybill/contracts/errors/coded-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateValue } from './evaluate-template.ts';
import { evaluateExpression } from './expression.ts';

const scope = {
  file: { path: '/in/Zoë.CSV', name: 'Zoë.CSV', size: 2_048n },
  variables: { list: ['a.csv', 'b.txt'], count: 3, 'two words': 'x', nested: { constructor: 'own', __proto__: null } },
  now: new Date('2026-03-29T00:30:05.007Z'),
};

const failure = (source: string, given: Record<string, unknown> = scope): string => {
  try {
    evaluateExpression(source, given);
  } catch (error) {
    if (isCodedError(error, 'expression_invalid')) return error.message;
    throw error;
  }
  return 'no failure';
};

describe('an expression', () => {
  it.each([
    ['file.size', 2_048],
    ['file.size / 1024 + 1', 3],
    ['file.name.lowerAscii() + "!"', 'zoë.csv!'],
    ["variables['two words']", 'x'],
    ['variables.list', ['a.csv', 'b.txt']],
    ['variables.list.filter(n, n.endsWith(".csv"))', ['a.csv']],
    ['variables.list.map(n, n.size() > 4, {"name": n})', [{ name: 'a.csv' }, { name: 'b.txt' }]],
    ['variables.list.all(n, n.size() == 5) && variables.list.exists(n, n == "b.txt")', true],
    ['variables.list.exists_one(n, n.startsWith("a"))', true],
    ['has(variables.absent) ? variables.absent : "none"', 'none'],
    ['"count" in variables && 3 in [variables.count]', true],
    ['file.name.matches("(?i)^zo.*\\\\.csv$")', true],
    ['file.name.replace("$&", "x").replace("Z", "$&")', '$&oë.CSV'],
    ["formatTime(now, 'yyyy-MM-dd HH:mm:ss.SSS')", '2026-03-29 00:30:05.007'],
    ["formatTime(now, 'yyyyMMdd-HHmm', 'Europe/Rome')", '20260329-0130'],
    ['now - duration("24h")', '2026-03-28T00:30:05.007Z'],
    ['{"a": {"b": [1, 2.5, true, null]}}', { a: { b: [1, 2.5, true, null] } }],
    ['variables.nested.constructor', 'own'],
    ['9007199254740993', '9007199254740993'],
  ])('%s', (source, value) => expect(evaluateExpression(source, scope)).toEqual(value));

  it('keeps its type if it is alone in a text, also inside lists and maps', () => {
    const template = { a: ['${{ file.size }}', '${{ file.size }} bytes'], b: { c: '${{ variables.list }}' }, d: 7 };
    expect(evaluateValue(template, scope)).toEqual({
      a: [2_048, '2048 bytes'],
      b: { c: ['a.csv', 'b.txt'] },
      d: 7,
    });
  });

  it.each([
    ['variables.__proto__'],
    ['file.constructor'],
    ['file["constructor"]["constructor"]("return 1")()'],
    ['variables.list.constructor'],
    ['cel.bind(x, 1, x)'],
    ['google.protobuf.Duration'],
    ['b"{}".json()'],
    ['variables.?absent'],
    ['eval("1")'],
    ['process.exit()'],
    ['b"bytes"'],
    ['1.0 / 0.0'],
    ['type(1)'],
  ])('%s is refused', (source) => {
    expect(failure(source)).toMatch(/^The expression .* (is not valid|cannot be evaluated): /u);
  });
});

describe('an expression that wants too much is refused in time', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => index);
  const given = { variables: { many, text: 'a'.repeat(100_000), pattern: '(a+)+$' } };
  const nested = (macro: string, depth: number): string =>
    depth === 0 ? 'true' : `variables.many.${macro}(x${depth}, ${nested(macro, depth - 1)})`;

  it.each([
    ['nested loops', 'variables.many.map(x, variables.many.map(y, x + y))'],
    ['nested quantifiers, which go on after an error', nested('exists', 4)],
    ['nested quantifiers that are false', nested('all', 4).replace('true', 'false || true')],
    ['errors that an operator hides', 'variables.many.filter(x, variables.many.filter(y, true).size() > 0 || true)'],
    ['lists that grow in loops', 'variables.many.map(x, variables.many + variables.many)'],
    ['texts that grow in loops', 'variables.many.map(x, variables.text + variables.text).join("")'],
    ['a large result', `[${Array.from({ length: 60 }, () => 'variables.text').join(', ')}]`],
    ['a long chain', `1${'+1'.repeat(2_000)}`],
    ['deep parentheses', `${'('.repeat(2_000)}1${')'.repeat(2_000)}`],
    ['deep lists', `${'['.repeat(1_000)}1${']'.repeat(1_000)}`],
    ['a long source', `"${'x'.repeat(5_000)}"`],
    ['a pattern that RE2 refuses', '"a".matches("((a{1,1000}){1,1000}){1,1000}")'],
    ['a look-behind', '"a".matches("(?<=a)b")'],
    ['a pattern that is too long', `"a".matches(variables.text)`],
  ])('%s', (_, source) => {
    const before = process.cpuUsage();
    expect(failure(source, given)).toMatch(/^The expression /u);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(10);
  });

  it('but a pattern that makes other engines go back for ever is not: RE2 takes linear time', () => {
    expect(evaluateExpression('(variables.text + "b").matches(variables.pattern)', given)).toBe(false);
  });

  it('fails in no other way than expression_invalid, whatever is written', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'file',
        '.size',
        'variables',
        '[',
        ']',
        '(',
        ')',
        '"',
        "'",
        '{',
        '}',
        ',',
        '&&',
        '+',
        '!',
        '.map',
        'x',
        '1',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(failure(pieces.join(' '))).toBeTypeOf('string');
      }),
      { numRuns: 500 },
    );
  });
});
