import { describe, expect, it } from 'vitest';
import { cursorContext } from './cursor-context.ts';

const text = `name: pack
steps:
  - name: one
    uses: gzip
    with:
      source: a
      |
  - name: two
onError:
- uses: log
`;

const at = (marked: string) => cursorContext(marked.replace('|', ''), marked.indexOf('|'));

describe('the context of a cursor', () => {
  it('has the settings around it, and those beside it', () => {
    const parameters = at(text);
    expect([parameters?.path, parameters?.typed, parameters?.setting]).toEqual([
      ['steps', '[]', 'with'],
      '',
      undefined,
    ]);
    expect([...(parameters?.siblings ?? [])]).toEqual([['source', 'a']]);
    expect(parameters?.around.get('uses')).toBe('gzip');
    const step = at(text.replace('      |\n', '    re|\n'));
    expect([step?.path, step?.typed, [...(step?.siblings.keys() ?? [])]]).toEqual([
      ['steps', '[]'],
      're',
      ['with', 'uses', 'name'],
    ]);
  });

  it('is that of an item, also one that is not indented, of a value, and of the whole', () => {
    expect(at('steps:\n  - |')).toMatchObject({ path: ['steps', '[]'], typed: '' });
    expect(at('onError:\n- uses: l|')).toMatchObject({ path: ['onError', '[]'], setting: 'uses', typed: 'l' });
    expect(at('na|')).toMatchObject({ path: [], typed: 'na' });
    expect(at('')).toMatchObject({ path: [] });
  });

  it('is none inside of a text, and lasts no time in a large one', () => {
    expect(at('name: some words|')).toBeUndefined();
    expect(at('{ "a": |')).toBeUndefined();
    const begin = performance.now();
    expect(at(`${'- - '.repeat(2_000)}\n${'a: \n'.repeat(10_000)}|`)?.path).toBeDefined();
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});
