/** Something is missing on this machine or in the way; the message tells the reader in one sentence what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
