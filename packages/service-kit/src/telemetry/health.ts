/** Checks that a dependency of the service responds; rejects if it does not. */
export type HealthCheck = (signal: AbortSignal) => Promise<unknown>;

/** The response of `/health/ready`: `checks` has `ok` or the error for each name. */
export interface Readiness {
  ready: boolean;
  checks: Record<string, string>;
}

/** The readiness of a service. */
export interface Health {
  addCheck(name: string, check: HealthCheck): void;
  /** Reports not ready from now on, regardless of the checks: the service is stopping. */
  markDraining(): void;
  readiness(): Promise<Readiness>;
}

/** Creates a health without checks. Each check must finish within `timeoutMs` (1 s). */
export function createHealth(options: { timeoutMs?: number } = {}): Health {
  const { timeoutMs = 1_000 } = options;
  const checks = new Map<string, HealthCheck>();
  let draining = false;
  return {
    addCheck: (name, check) => void checks.set(name, check),
    markDraining: () => {
      draining = true;
    },
    readiness: async () => {
      const outcomes = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await outcomeOf(check, timeoutMs)] as const),
      );
      const ready = !draining && outcomes.every(([, outcome]) => outcome === 'ok');
      return {
        ready,
        checks: { ...Object.fromEntries(outcomes), ...(draining && { drain: 'the service is stopping' }) },
      };
    },
  };
}

async function outcomeOf(check: HealthCheck, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const expiry = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => expiry.reject(new Error(`no answer within ${timeoutMs} ms`)));
  try {
    await Promise.race([check(signal), expiry.promise]);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
