const audited = new WeakSet<object>();

/** Notes that a refusal with this error as its reason is audited, so that it is not audited again. */
export function noteAudited(error: unknown): void {
  if (typeof error === 'object' && error !== null) audited.add(error);
}

/** Whether a refusal with this error, or with one of its causes, is audited. */
export function isAudited(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (audited.has(cause)) return true;
  return false;
}
