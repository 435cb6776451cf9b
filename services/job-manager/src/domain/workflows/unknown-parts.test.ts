import { describe, expect, it } from 'vitest';
import { knownParts, unknownParts } from './unknown-parts.ts';

const step = { name: 'a', uses: 'gzip', with: {}, retry: { attempts: 1, delaySeconds: 0 }, timeoutSeconds: 60 };
const gzip = {};

describe('what a worker does not understand of a workflow', () => {
  it.each([
    ['nothing', [step], []],
    ['a task', [step, { ...step, uses: 'write-file' }, { ...step, uses: 'write-file' }], ['task write-file']],
    [
      'a task that is named like something that every object has',
      [{ ...step, uses: 'constructor' }],
      ['task constructor'],
    ],
    ['a field', [{ ...step, unless: '${{ file.size }}' }], ['field unless']],
    ['a value', [{ ...step, timeoutSeconds: 'P1D' }], ['value of timeoutSeconds']],
    ['a value in a field', [{ ...step, retry: { attempts: 1, delaySeconds: 0, curve: 2 } }], ['value of retry']],
    ['a step', ['gzip'], ['value of uses']],
    ['everything', [{ uses: 'x', also: 1 }], ['task x', 'field also', 'value of name']],
  ])('%s', (_what, steps, needs) => expect(unknownParts(steps, { gzip })).toEqual(needs));

  it('is never something that it knows', () => {
    const known = knownParts({ gzip });
    expect(known).toContain('task gzip');
    expect(known).not.toContain('task write-file');
    expect(known.filter((part) => part.startsWith('value'))).toEqual([]);
  });
});
