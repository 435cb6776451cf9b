import { describe, expect, it } from 'vitest';
import { checkConsoleTexts } from './check-console-texts.ts';

const path = 'packages/console/src/operators/now/a.tsx';

const check = (text: string, at = path) => checkConsoleTexts([{ path: at, text }]);

describe('the check of the texts of a console', () => {
  it.each([
    'const a = <p>Jobs</p>;',
    'const a = <>Jobs</>;',
    'const a = <p>Über</p>;',
    "const a = <p>{'Jobs'}</p>;",
    'const a = <p>{`${count} jobs`}</p>;',
    'const a = <p>{isOpen && "Open"}</p>;',
    'const a = <p>{isOpen ? texts.open : "Closed"}</p>;',
    'const a = <p>{name ?? "Unnamed"}</p>;',
    'const a = <p>{count + " jobs"}</p>;',
    'const a = <a title="Jobs" />;',
    'const a = <a aria-label={`Job ${name}`} />;',
    'const a = <input placeholder={"Name" as const} />;',
    'const a = <img alt="Logo" />;',
    'const a = <Panel label="Jobs" />;',
    "const columns = [{ title: 'Jobs' }];",
    'const columns = [{ cell: ({ name }) => `Job ${name}` }];',
    "document.title = 'Jobs';",
    'const a = <p><b>{list.map(() => <i>Jobs</i>)}</b></p>;',
  ])('refuses %s', (text) => {
    expect(check(text)).toMatchObject([{ path, line: 1 }]);
  });

  it.each([
    'const a = <p>{texts.jobs}</p>;',
    'const a = <p>&nbsp;· 1 / 2</p>;',
    'const a = <p>{`${contract} / ${job}`}</p>;',
    'const a = <p className="badge" data-status="ERROR" id={`job-${id}`} />;',
    "const a = <p>{state === 'open' && texts.open}</p>;",
    "const a = <p>{format(value, 'short')}</p>;",
    'const a = <a title={texts.jobs} />;',
    '// Jobs',
  ])('accepts %s', (text) => {
    expect(check(text)).toEqual([]);
  });

  it('accepts texts in the catalogue, in tests and in other packages', () => {
    const text = "export const english = { title: 'Jobs' };";
    for (const free of [
      'packages/console/src/texts/english/operators/now.ts',
      'packages/console/src/texts/languages.ts',
      'packages/console/src/operators/now/a.test.ts',
      'packages/other/src/a.ts',
    ])
      expect(check(text, free), free).toEqual([]);
  });

  it('names the line of each text', () => {
    expect(check('const a = (\n  <p title="Jobs">\n    {`a ${b}`}\n  </p>\n);')).toMatchObject([
      { line: 2 },
      { line: 3 },
    ]);
  });
});
