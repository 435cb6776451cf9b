import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';

let rig: FileTaskRig;

beforeAll(async () => {
  rig = await openFileTaskRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const target = '/outbox/b';

async function convert(
  text: string | Buffer,
  given: Readonly<Record<string, unknown>> = {},
): Promise<string | undefined> {
  await rig.deliver('/inbox/a', text);
  await rig.run('csv-to-json', { source: '/inbox/a', target, ...given });
  return await rig.read(target);
}

describe('the task csv-to-json', () => {
  it('makes an array of objects', async () => {
    expect(await convert('a,b\n1,"x ""y"""\n,\n')).toBe('[\n{"a":"1","b":"x \\"y\\""},\n{"a":"","b":""}\n]\n');
    expect(await convert('a\n')).toBe('[]\n');
  });

  it('converts types, keeps all digits and renames columns', async () => {
    const types = ['integer', 'decimal', 'boolean', 'datetime'].map((type, at) => ({ name: `c${at}`, type, as: type }));
    const text = 'c0,c1,c2,c3\n+0012345678901234567890,-00.10,TRUE,2026-03-02T18:00:00Z\n,,,\n';
    expect(await convert(text, { columns: types, format: 'ndjson' })).toBe(
      '{"integer":12345678901234567890,"decimal":-0.10,"boolean":true,"datetime":"2026-03-02T18:00:00Z"}\n' +
        '{"integer":null,"decimal":null,"boolean":null,"datetime":null}\n',
    );
  });

  it('keeps, drops or refuses other columns, and takes names for a file without a header', async () => {
    const given = { format: 'ndjson', columns: [{ name: 'b' }] };
    expect(await convert('a,b\n1,2\n', given)).toBe('{"a":"1","b":"2"}\n');
    expect(await convert('a,b\n1,2\n', { ...given, otherColumns: 'drop' })).toBe('{"b":"2"}\n');
    await expect(convert('a,b\n1,2\n', { ...given, otherColumns: 'fail' })).rejects.toThrow('"a" is not expected');
    const names = [{ name: 'x' }, { name: 'y' }];
    expect(await convert('1,2\n', { ...given, columns: names, header: false })).toBe('{"x":"1","y":"2"}\n');
    await expect(convert('', { header: false })).rejects.toThrow('is required without a header');
  });

  it('makes objects of names that have a meaning in JavaScript', async () => {
    const text = '__proto__,constructor\n1,2\n';
    expect(await convert(text, { format: 'ndjson' })).toBe('{"__proto__":"1","constructor":"2"}\n');
  });

  it.each([
    ['a short record', 'a,b\n1,2\n3\n', 'line 3: the record has 1 fields, and 2 are expected'],
    ['a value of another type', 'a,b\n1,x\n', 'line 2: column "b": "x" is no integer'],
    ['a required field that is empty', 'a,b\n,1\n', 'line 2: column "a": is empty'],
    ['a quote that does not end', 'a,b\n1,"2\n', 'line 2: a quoted field'],
    ['an empty file', '', 'line 1: there is no header'],
    ['two columns with one name', 'a,b,c\n', 'two columns have the same name'],
    [
      'a file with an error at its end',
      `a,b\n${'1,2\n'.repeat(50_000)}1,1.0\n`,
      'line 50002: column "b": "1.0" is no integer',
    ],
  ])('writes nothing of %s', async (_what, text, message) => {
    const given = {
      target: '/outbox/none',
      columns: [
        { name: 'a', as: 'c', required: true },
        { name: 'b', type: 'integer' },
      ],
    };
    await expect(convert(text, given)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(message),
    });
    expect(await rig.read('/outbox/none')).toBeUndefined();
  });

  it('replaces a file or not, and writes once when it is repeated', async () => {
    await convert('a\n1\n');
    await expect(convert('a\n1\n', { ifExists: 'fail' })).rejects.toMatchObject({ code: 'already_exists' });
    const claimed = await rig.claimNew();
    const given = { source: '/inbox/a', target: '/outbox/once' };
    const first = await rig.run('csv-to-json', given, { claimed });
    const again = { claimed: await rig.takeOver(claimed), attempt: 2 };
    expect(await rig.run('csv-to-json', given, again)).toEqual(first);
  });
});
