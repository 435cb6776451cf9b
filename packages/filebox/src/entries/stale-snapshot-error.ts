/** What was read before a change is outdated: read and decide again. */
export class StaleSnapshotError extends Error {
  override readonly name = 'StaleSnapshotError';
}
