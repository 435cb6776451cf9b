import { describe, expect, it } from 'vitest';
import { checkDocstrings } from './check-docstrings.ts';

const path = 'packages/x/src/a.ts';

describe('the check of docstrings', () => {
  it.each(['export const a = 1;', 'export function a() {}', '// a\nexport interface A {}', 'export type A = 1;'])(
    'refuses %s',
    (text) => {
      expect(checkDocstrings([{ path, text }])).toHaveLength(1);
    },
  );

  it('accepts a docstring directly above, and requires none for declarations that are not exported', () => {
    const text = '/** One. */\nexport const a = 1;\nconst b = 2;\n/** The type. */\nexport type A = typeof b;\n';
    expect(checkDocstrings([{ path, text }])).toEqual([]);
  });

  it('does not accept the docstring of another declaration', () => {
    const text = '/** One. */\nconst a = 1;\nexport const b = a;\n';
    expect(checkDocstrings([{ path, text }])).toMatchObject([{ line: 3 }]);
  });
});
