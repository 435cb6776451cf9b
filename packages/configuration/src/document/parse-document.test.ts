import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { parseDocument } from './parse-document.ts';
import { usingDocument } from './read-document.ts';

async function refusalOf(act: () => unknown): Promise<unknown> {
  try {
    return await act();
  } catch (error) {
    if (isCodedError(error)) return error;
    throw error;
  }
}

const parsing = (text: string) => refusalOf(() => parseDocument(text, 'f'));

const keys = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}: 1`).join(', ');

describe('parseDocument', () => {
  it.each([
    ['in blocks', 'a: 1\nb: 2\na: 3\n', 3, 1],
    ['in flows', 'x:\n  - {a: 1, b: 2, a: 3}\n', 2, 18],
    ['written in two ways', 'a: 1\n"a": 2\n', 2, 1],
    ['of numbers', '1: a\n0x1: b\n', 2, 1],
    ['of nothing', '? \n: a\nnull: b\n', 3, 1],
    ['which an inner map has first', 'a: {b: 1, b: 2}\na: 3\n', 1, 11],
    ['before another error', 'a: 1\na: 2\nb: "\\q"\n', 2, 1],
  ])('refuses repeated keys %s with their place', async (_, text, line, column) => {
    expect(await parsing(text)).toMatchObject({
      code: 'configuration_invalid',
      message: `f is not YAML: Map keys must be unique at line ${line}, column ${column}`,
    });
  });

  it.each([
    ['before a repeated key', 'a: "\\q"\na: 2\n', 'Invalid escape sequence \\q at line 1, column 5'],
    ['at the end', 'a: [secret\n', expect.stringMatching(/ at line 2, column 1$/u)],
  ])('names another error %s with its place, and shows no text', async (_, text, message) => {
    const refusal = await parsing(text);
    expect(refusal).toMatchObject({
      message: typeof message === 'string' ? `f is not YAML: ${message}` : message,
    });
    expect(String(refusal)).not.toContain('secret');
  });

  it.each(['a: 1\n---\nb: 2\n', '# one\n{"a": 1}\n---\n# other\n{"b": 2}\n'])(
    'says that a document is one of several: %j',
    async (text) => {
      expect(await parsing(text)).toMatchObject({
        message:
          'f has several documents, with `---` between them: give one, such as what `waybill export --source <name>` prints',
      });
    },
  );

  it('accepts the same key in several maps', () => {
    expect(parseDocument('a: {b: 1}\nc: [{b: 1}, {b: 2}]\n', 'f').value).toEqual({
      a: { b: 1 },
      c: [{ b: 1 }, { b: 2 }],
    });
  });

  it('finds that the last one of a hundred thousand keys is repeated', async () => {
    expect(await parsing(`a: {${keys(100_000)}, k0: 1}`)).toMatchObject({
      message: expect.stringContaining('Map keys must be unique at line 1, column 1088895'),
    });
  }, 60_000);

  it('refuses thousands of errors in one line', async () => {
    expect(await parsing(`a: "${'\\q'.repeat(10_000)}"`)).toMatchObject({
      message: expect.stringContaining('column 5'),
    });
  }, 60_000);
});

describe('usingDocument', () => {
  const read = (document: string, variables = {}, limits = {}) =>
    refusalOf(() => usingDocument({ file: 'f', document, variables, defaults: [] }, async () => 'read', limits));

  it('describes the first of a many unknown keys, with their places, and counts the others', async () => {
    const refusal = await read(`source: s\nactors:\n - {${keys(5_000)}}`);
    expect(refusal).toMatchObject({ code: 'configuration_invalid' });
    const fields = isCodedError(refusal) ? refusal.fields : [];
    expect(fields).toHaveLength(102);
    expect(fields[1]).toMatchObject({ field: 'actors[0].k0', line: 3, column: 5 });
    expect(fields.at(-1)).toMatchObject({ field: 'actors[0]', message: 'has 4900 more unknown keys', line: 3 });
  }, 60_000);

  it('lists a thousand errors, and counts the others', async () => {
    const refusal = await read(`source: s\nactors: [${'1,'.repeat(5_000)}]`);
    const fields = isCodedError(refusal) ? refusal.fields : [];
    expect(fields).toHaveLength(1_001);
    expect(fields.at(-1)).toEqual({ field: '', message: 'The configuration has 4000 more errors' });
  });

  it('refuses a document that is too large with its variables before it is made', async () => {
    const A = 'b'.repeat(65_000);
    const names = (count: number): string => `source: s\nactors:\n - {name: "${'${A}'.repeat(count)}"}\n`;
    // The second would be longer than a text can be.
    for (const count of [3_900, 20_000]) {
      expect(await read(names(count), { A })).toMatchObject({
        code: 'configuration_too_large',
        message: 'The configuration has more than 33554432 characters with the values of its variables',
      });
    }
    const repeated = `a: &a "${'${A}'.repeat(60)}"\nb: [${Array(90).fill('*a').join(', ')}]`;
    expect(await read(repeated, { A })).toMatchObject({ code: 'configuration_too_large' });
    expect(await read(names(3), { A: 'xy' }, { charactersAtMost: 24 })).toBe('read');
    expect(await read(names(3), { A: 'xy' }, { charactersAtMost: 12 })).toMatchObject({
      code: 'configuration_too_large',
    });
  });
});

it('a list of hundreds of thousands of wrong items is refused, also inside of another list', async () => {
  for (const text of [
    `{"actors":[${'1,'.repeat(300_000)}1]}`,
    `{"clusters":[{"name":"a","servers":[${'1,'.repeat(300_000)}1]}]}`,
  ]) {
    const given = { file: 'f', document: text, variables: {}, defaults: [] };
    const refusal = await refusalOf(() => usingDocument(given, async () => 'read'));
    expect(refusal).toMatchObject({ code: 'configuration_invalid' });
    expect(isCodedError(refusal) && refusal.fields.at(-1)?.message).toMatch(/errors/u);
  }
}, 60_000);
