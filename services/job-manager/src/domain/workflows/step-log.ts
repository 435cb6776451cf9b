import type { LogLine } from '../jobs/job-ledger.ts';
import type { Redact } from './mask-secrets.ts';

/** Lines that a step keeps, of all its attempts. */
export const logLinesAtMost = 100;

/** The log of one attempt of a step. */
export interface StepLog {
  write(message: string): void;
  /** The newest lines, oldest first. */
  lines(): readonly LogLine[];
}

/** Keeps the newest lines, each shortened and without the secrets of the step. */
export function createStepLog(attempt: number, redact: Redact): StepLog {
  const kept: LogLine[] = [];
  return {
    write: (message) => {
      kept.push({ at: new Date().toISOString(), attempt, message: redact.line(message) });
      if (kept.length > logLinesAtMost) kept.shift();
    },
    lines: () => [...kept],
  };
}
