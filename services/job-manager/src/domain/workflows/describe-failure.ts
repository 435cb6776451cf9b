import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Why a step failed, for the status message. What we did not expect is in the log; its text may hold anything. */
export function describeFailure(stepName: string, error: unknown): string {
  return `Step '${stepName}' failed: ${reasonOf(error)}`;
}

/** The message, with the path that it is about unless it names it itself. */
function reasonOf(error: unknown): string {
  if (!(error instanceof CodedError)) return 'an unexpected failure, see the log of the job';
  const { path } = error.names;
  return path === undefined || error.message.includes(path) ? error.message : `${error.message}: ${path}`;
}
