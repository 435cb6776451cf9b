/** The header with the dataflow of a file: the `dfiid` of audit records, jobs and log lines. */
export function dataflowHeader({ dfiid }: { readonly dfiid: string }): Record<string, string> {
  return { 'X-Dataflow-Id': dfiid };
}
