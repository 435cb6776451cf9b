/**
 * Waits for a resource that is being started, and adds it to the other resources. If these were released meanwhile,
 * because the start of the process was interrupted, it is released at once: otherwise it would keep the process
 * from ending. @throws Error if the resources were released meanwhile
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
