import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTests } from './count-tests.ts';
import { runProgram } from './run-program.ts';
import type { Counts, StageContext } from './stage.ts';
import { watchReport } from './watch-report.ts';

/**
 * Runs projects of vitest (see `vitest.config.ts`) side by side and counts their tests; with `changedSince` only those
 * that import a file which has changed since that commit.
 */
export async function runTests(
  context: StageContext,
  projects: readonly string[],
  changedSince?: string,
): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-npm-test-'));
  try {
    const report = join(folder, 'report.json');
    const chosen = changedSince === undefined ? [] : [`--changed=${changedSince}`, '--passWithNoTests'];
    const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const args = ['run', ...projects.flatMap((project) => ['--project', project]), ...chosen, ...reports];
    using watch = watchReport(report);
    const signal = AbortSignal.any([context.signal, watch.signal]);
    const exitCode = await runProgram('vitest', args, { ...context, signal });
    const text = await readFile(report, 'utf8').catch(() => null);
    return countTests(text, exitCode);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
