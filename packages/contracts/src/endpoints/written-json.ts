/**
 * A value of a type as JSON in UTF-8, of which only the text is needed: another process has written it, and a server sends it without
 * reading it.
 */
export class WrittenJson<Value> {
  readonly bytes: Buffer;
  /** Tells the types of texts apart; nothing has it. */
  declare readonly value: Value;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
