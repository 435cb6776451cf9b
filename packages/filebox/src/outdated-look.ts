/** What was read before a change is no longer true: look again, and decide again. */
export class OutdatedLook extends Error {
  override readonly name = 'OutdatedLook';
}
