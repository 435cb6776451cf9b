/** An extension named in INIT or VERSION (draft-ietf-secsh-filexfer-02, section 4), with its data (often a number as text). */
export interface ExtensionPair {
  readonly name: string;
  readonly data: string;
}
