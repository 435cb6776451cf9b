import { demoPlatform } from './demo-platform.ts';

/** The demo platform with an access test of these sentences. */
export const expecting = (...sentences: readonly string[]) => ({
  ...demoPlatform(),
  accessTests: [{ name: 'rules', expect: sentences }],
});

/** The code and the errors of a refusal. */
export const faultsOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) =>
      error instanceof Error && 'fields' in error && 'code' in error ? [error.code, error.fields] : error,
  );
