import { describe, expect, it } from 'vitest';
import { faultsStillIn } from './standing-faults.ts';

const text = `name: night
steps:
  - name: one
    uses: log
    with: { message: x }
    bogus: 7
`;

describe('the faults that are still in a changed text', () => {
  it('are those whose settings have not changed, and none that was corrected', () => {
    const faults = [
      { field: 'steps[0].uses', message: 'is unknown' },
      { field: 'steps[0]', message: 'unknown key bogus; known are name, uses' },
      { field: 'queue', message: 'is missing' },
    ];
    expect(faultsStillIn(text, text, faults)).toEqual(faults);
    expect(faultsStillIn(text.replace('log', 'gzip'), text, faults)).toEqual([faults[1]]);
    expect(faultsStillIn(text.replace('    bogus: 7\n', ''), text, faults)).toEqual([faults[0]]);
  });

  const twice = `name: twice
steps:
  - name: a
    uses: log
    with:
      message: \${{ file.pth }}
  - name: a
    uses: log
    with:
      targett: x
`;
  const wrongPath = { field: 'steps[0].with.message', message: 'the file has no pth' };
  const sameName = { field: 'steps[1].name', message: 'the step a already exists at steps[0]' };
  const noSuch = { field: 'steps[1].with.targett', message: 'the task log has no parameter targett' };
  const all = [wrongPath, sameName, noSuch];

  it.each([
    ['nothing after everything was replaced', 'name: twice\nsteps:\n  - name: a\n    uses: log\n', []],
    ['no repeated name once the other one has another name', twice.replace('name: a', 'name: b'), [noSuch]],
    [
      'no unknown parameter of a step that has another task',
      twice.replace(/log(?=\n {4}with:\n {6}t)/u, 'gzip'),
      all.slice(0, 2),
    ],
    ['no wrong expression that was corrected', twice.replace('pth', 'path'), [sameName, noSuch]],
    ['all after a change elsewhere', twice.replace('name: twice', 'name: other'), all],
    ['all after lines were added above', `# above\n\n${twice}`, all],
    ['all in a text that cannot be read', `${twice}bad: [`, all],
  ])('are %s', (_what, changed, still) => expect(faultsStillIn(changed, twice, all)).toEqual(still));

  it('are what is missing as long as it is, and what misses it is there', () => {
    const missing = [{ field: 'steps[1].retry.attempts', message: 'is missing' }];
    expect(faultsStillIn(`${twice}description: x\n`, twice, missing)).toEqual(missing);
    expect(faultsStillIn(`${twice}    retry: { attempts: 2 }\n`, twice, missing)).toEqual([]);
    expect(faultsStillIn('name: twice\nsteps:\n  - name: a\n', twice, missing)).toEqual([]);
  });

  it('are found in hostile texts too', () => {
    const bomb = `a: &a [x, x]\nb: &b [*a, *a]\nsteps: [*b, *nothing]\n`;
    expect(faultsStillIn(bomb, twice, all)).toEqual([]);
    expect(faultsStillIn('\0', twice, all)).toEqual([]);
  });
});
