import { describe, expect, it } from 'vitest';
import { checkRooms } from './check-rooms.ts';

const rules = {
  floors: { 'packages/one/src': ['upper', 'lower', 'bottom.ts'], 'packages/one/src/lower': ['inner'] },
  filesPerRoom: 2,
};

function messages(files: Readonly<Record<string, string>>): string[] {
  const tree = Object.entries(files).map(([path, text]) => ({ path: `packages/one/src/${path}`, text }));
  return checkRooms(tree, rules).map(({ path, line, message }) => `${path}:${line ?? ''} ${message}`);
}

describe('the check of rooms', () => {
  it('lets files import from their room and from those below', () => {
    expect(
      messages({
        'service.ts': `import { a } from './upper/a.ts'; import { b } from './bottom.ts';`,
        'upper/a.ts': `import { b } from './b.ts'; import { c } from '../lower/c.ts';`,
        'upper/b.ts': `import { d } from '../bottom.ts';`,
        'lower/c.ts': `import { e } from './inner/e.ts';`,
        'lower/inner/e.ts': `import { d } from '../../bottom.ts';`,
        'bottom.ts': '',
      }),
    ).toEqual([]);
  });

  it.each([
    ['a room', 'lower/c.ts', `import { a } from '../upper/a.ts';`, 'lower stands below upper'],
    ['a file above the rooms', 'lower/c.ts', `import { s } from '../service.ts';`, 'lower stands below service.ts'],
    ['a room above its own file', 'bottom.ts', `import { a } from './upper/a.ts';`, 'bottom.ts stands below upper'],
    ['the room around it', 'lower/inner/e.ts', `import { c } from '../c.ts';`, 'inner stands below c.ts'],
    ['a type of a room above', 'lower/c.ts', `\nimport type { A } from '../upper/a.ts';`, 'lower stands below upper'],
  ])('refuses that a file imports %s', (_, path, text, message) => {
    expect(messages({ 'upper/a.ts': '', 'service.ts': '', 'lower/c.ts': '', [path]: text }).join()).toContain(message);
  });

  it('refuses a room that the table does not name, however deep', () => {
    expect(messages({ 'attic/a.ts': '', 'lower/inner/box/a.ts': '' })).toEqual([
      'packages/one/src/attic: has no floor in tools/checks/src/rules/rooms.ts',
      'packages/one/src/lower/inner/box: has no floor in tools/checks/src/rules/rooms.ts',
    ]);
  });

  it('refuses a crowded room, and counts neither tests nor migrations', () => {
    expect(messages({ 'upper/a.ts': '', 'upper/b.ts': '', 'upper/b.test.ts': '', 'upper/c.ts': '' })).toEqual([
      'packages/one/src/upper: holds 3 files, and a room at most 2: divide it into rooms',
    ]);
    expect(
      checkRooms(
        ['1', '2', '3'].map((name) => ({ path: `packages/one/src/migrations/${name}.ts`, text: '' })),
        { ...rules, floors: { 'packages/one/src': ['migrations'] } },
      ),
    ).toEqual([]);
  });

  it('refuses imports that form a circle, types included', () => {
    expect(
      messages({
        'upper/a.ts': `import type { B } from './b.ts';`,
        'upper/b.ts': `import { c } from '../lower/c.ts'; import { a } from './a.ts';`,
        'lower/c.ts': '',
      }),
    ).toEqual([
      expect.stringContaining('imports form a circle: packages/one/src/upper/a.ts -> packages/one/src/upper/b.ts'),
    ]);
  });

  it('finds each circle of several once', () => {
    const circles = messages({
      'a.ts': `import './b.ts';`,
      'b.ts': `import './a.ts';`,
      'upper/a.ts': `import './b.ts';`,
      'upper/b.ts': `import './a.ts';`,
    });
    expect(circles).toHaveLength(2);
  });
});
