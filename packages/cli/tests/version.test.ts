import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';

it.each([['version'], ['--version']])('waybill %s shows the release that the package has', async (word) => {
  const manifest = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  for (const [more, shown] of [
    [[], `waybill ${manifest.version}`],
    [['--json'], JSON.stringify({ version: manifest.version })],
  ] as const) {
    const lines: string[] = [];
    const code = await runCommandLine([word, ...more], { env: {}, out: (line) => lines.push(line), err: () => {} });
    expect([code, lines]).toEqual([0, [shown]]);
  }
});
