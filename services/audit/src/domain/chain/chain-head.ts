/** The end of the audit log and of its digests. Hashes are SHA-256 in hexadecimal. */
export interface ChainHead {
  /** Of the last record; 0 without records. */
  readonly sequence: number;
  readonly recordId: string;
  readonly recordHash: string;
  /** Of the last digest; 0 without digests. */
  readonly digestNumber: number;
  readonly digestHash: string;
  /** The last record that a digest covers. */
  readonly digestedSequence: number;
}

const noHash = '0'.repeat(64);

/** The head of an empty log, to which the first record and the first digest refer. */
export const genesis: ChainHead = {
  sequence: 0,
  recordId: '00000000-0000-0000-0000-000000000000',
  recordHash: noHash,
  digestNumber: 0,
  digestHash: noHash,
  digestedSequence: 0,
};
