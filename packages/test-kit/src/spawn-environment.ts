const inherited = ['PATH', 'NODE_COMPILE_CACHE'] as const;

/**
 * The environment of a process that a test starts: what programs need to be found and to start quickly, and `settings`. Nothing else
 * of this process' environment gets in, so that no variable of the machine decides what a service does.
 */
export function spawnEnvironment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...settings };
}
