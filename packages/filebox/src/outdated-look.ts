/** What a transaction has seen is not so any more, and it may not lock in what order it likes: it is to begin anew. */
export class OutdatedLook extends Error {
  override readonly name = 'OutdatedLook';
}
