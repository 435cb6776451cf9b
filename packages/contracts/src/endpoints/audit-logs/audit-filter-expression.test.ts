import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilterExpression, type FilterCondition } from './audit-filter-expression.ts';

const anyCondition: fc.Arbitrary<FilterCondition> = fc.record({
  field: fc.stringMatching(/^[A-Za-z]{1,16}$/u),
  value: fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^["\\{},= ]{0,8}$/u)),
  isPrefix: fc.boolean(),
});

function render(conditions: readonly FilterCondition[]): string[] {
  return conditions.map(
    ({ field, value, isPrefix }) => `${field}${isPrefix ? '^' : ''}="${value.replaceAll(/["\\]/gu, String.raw`\$&`)}"`,
  );
}

describe('parseFilterExpression', () => {
  it('reads back every condition that was written, in one pair of braces', () => {
    fc.assert(
      fc.property(fc.array(anyCondition, { minLength: 1, maxLength: 5 }), (conditions) => {
        expect(parseFilterExpression(`{${render(conditions).join(',')}}`)).toEqual({ conditions });
      }),
    );
  });

  it('reads back every condition that was written, each in its own braces', () => {
    fc.assert(
      fc.property(fc.array(anyCondition, { minLength: 1, maxLength: 5 }), (conditions) => {
        const text = render(conditions).map((condition) => `{${condition}}`);
        expect(parseFilterExpression(text.join(','))).toEqual({ conditions });
      }),
    );
  });

  it('handles any text, and reports the position of an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[{}a="\\, ]{0,20}$/u)), (text) => {
        const expression = parseFilterExpression(text);
        if ('syntaxError' in expression) expect(expression.position).toBeLessThanOrEqual(text.length);
        else expect(expression.conditions).not.toHaveLength(0);
      }),
    );
  });

  it('accepts white space between the parts', () => {
    expect(parseFilterExpression(' { id = "a" , module ^= "b" } , { nodeId="c"} ')).toEqual({
      conditions: [
        { field: 'id', value: 'a', isPrefix: false },
        { field: 'module', value: 'b', isPrefix: true },
        { field: 'nodeId', value: 'c', isPrefix: false },
      ],
    });
  });

  it('keeps a backslash that escapes nothing', () => {
    const value = String.raw`C:\temp`;
    expect(parseFilterExpression(`{entityName="${value}"}`)).toEqual({
      conditions: [{ field: 'entityName', value, isPrefix: false }],
    });
  });

  it.each([
    ['', 'expected "{"', 0],
    ['id="a"', 'expected "{"', 0],
    ['{}', 'expected field="value"', 1],
    ['{id=a}', 'expected field="value"', 1],
    ['{id^"a"}', 'expected field="value"', 1],
    ['{id="a}', 'expected field="value"', 1],
    ['{id="a",}', 'expected field="value"', 8],
    ['{id="a"', 'expected "," or "}"', 7],
    ['{id="a"} {id="b"}', 'expected "," or the end', 9],
    ['{id="a"},', 'expected "{"', 9],
  ])('refuses %j', (text, syntaxError, position) => {
    expect(parseFilterExpression(text)).toEqual({ syntaxError, position });
  });
});
