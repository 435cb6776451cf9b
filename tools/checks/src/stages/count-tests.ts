import type { Counts } from './stage.ts';

interface TestReport {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { status: string }[];
  }[];
}

/**
 * Counts the tests of vitest's JSON report. Everything that did not pass is a failure: a skipped test, a file that
 * could not be loaded, an error outside all tests (visible in the exit code only) and a run without a report.
 */
export function countTests(reportText: string | null, exitCode: number): Counts {
  if (reportText === null) return { passed: 0, failed: 1 };
  const report = JSON.parse(reportText) as TestReport;
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = report.numTotalTests - report.numPassedTests + brokenFiles.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
