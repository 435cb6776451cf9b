/** What was read before a change is no longer true: look again, and decide again. */
export class StaleSnapshotError extends Error {
  override readonly name = 'StaleSnapshotError';
}
