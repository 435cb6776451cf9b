import type { JobView } from '@waybill/contracts/endpoints/jobs/job';

/** The path of the file that began the dataflow of a job; undefined if none did. */
export function filePathOf(dfic: JobView['dfic']): string | undefined {
  return dfic['original_actor-path'] ?? dfic.original_virtualpath;
}
