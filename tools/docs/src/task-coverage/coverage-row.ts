import type { TaskName } from '@waybill/contracts/configuration/workflow-step';

/** What is tested of tasks together with one counterpart. */
export interface CoverageRow {
  readonly tasks: readonly TaskName[];
  /** The program on the other side. */
  readonly counterpart: string;
  /** The file with the tests, from the root of the project. */
  readonly file: string;
  /** Beside it, the file with the cases that other counterparts share. */
  readonly shared?: string;
  /** Names of tests, as they stand there: `%s` is for the values of a table. */
  readonly cases: readonly string[];
}
