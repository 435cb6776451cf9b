/**
 * Waits for something that is being started, and has it released with the other resources. When these were released
 * meanwhile, because the start of the process was interrupted, it is released at once: what it holds open would keep the
 * process from ending.
 * @throws Error when the resources were released meanwhile
 */
export async function useStarted<T extends AsyncDisposable>(
  resources: AsyncDisposableStack,
  starting: Promise<T>,
): Promise<T> {
  const started = await starting;
  if (!resources.disposed) return resources.use(started);
  await started[Symbol.asyncDispose]();
  throw new Error('the start was interrupted');
}
