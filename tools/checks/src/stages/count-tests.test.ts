import { describe, expect, it } from 'vitest';
import { countTests } from './count-tests.ts';

function report(...files: string[][]): string {
  const assertions = files.flat();
  return JSON.stringify({
    numTotalTests: assertions.length,
    numPassedTests: assertions.filter((status) => status === 'passed').length,
    testResults: files.map((statuses) => ({
      status: statuses.every((status) => status === 'passed') && statuses.length > 0 ? 'passed' : 'failed',
      assertionResults: statuses.map((status) => ({ status })),
    })),
  });
}

describe('the count of tests', () => {
  it('counts what passed and what failed', () => {
    expect(countTests(report(['passed', 'failed'], ['passed']), 1)).toEqual({ passed: 2, failed: 1 });
    expect(countTests(report(['passed']), 0)).toEqual({ passed: 1, failed: 0 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    expect(countTests(report(['passed'], []), 1)).toEqual({ passed: 1, failed: 1 });
  });

  it('counts an error outside all tests as a failure', () => {
    expect(countTests(report(['passed']), 1)).toEqual({ passed: 1, failed: 1 });
  });

  it('counts a run without a report as a failure', () => {
    expect(countTests(null, 0)).toEqual({ passed: 0, failed: 1 });
  });
});
