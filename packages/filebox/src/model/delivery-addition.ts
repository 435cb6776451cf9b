/** A part of the statement that delivers a file, for what others keep of it. One object for one text, in the whole process. */
export interface AddedStatement {
  /** Names it for good. */
  readonly name: string;
  /**
   * Changes rows by what `stored` has, a row like that of `filebox.entries`, or none when nothing is delivered. Its own
   * parameters are written as `:name`; no string in it may have a colon.
   */
  readonly sql: string;
}

/** What is stored together with a delivered file, without a round trip of its own. */
export interface DeliveryAddition {
  readonly statement: AddedStatement;
  readonly bindings: Readonly<Record<string, unknown>>;
}
