/** Names of settings that usually hold secrets. */
const secretName =
  /pass(?:word|phrase|wd)?|secret|token|credential|private|auth|cookie|(?:^|[^a-z])(?:key|pin|pwd)|key$/iu;

/** Addresses with a user, keys in PEM, and long words of letters and digits, as tokens are. */
const secretForm = /:\/\/[^/\s]*@|-----BEGIN |(?=[\w+=-]*\d)(?=[\w+=-]*[A-Za-z])[\w+=-]{24,}/u;

/**
 * Whether a value that a workflow passes on may be a secret: judged by its name and its form, and by whether it
 * contains a value from the environment (`filled`), where the secrets of a configuration are set.
 */
export function isConfidential(name: string, value: unknown, filled: Pick<ReadonlySet<string>, 'has'>): boolean {
  if (secretName.test(name)) return true;
  return typeof value === 'string' && (filled.has(value) || secretForm.test(value));
}
