import type { Expectation, ExpectationOutcome } from '@waybill/contracts/configuration/expectation';

/** An expectation of an enabled contract. */
export interface ContractExpectation {
  readonly contract: string;
  /** The actor of the contract; another one can get a contract of the same name later. */
  readonly actorId: string;
  readonly expectation: Expectation;
  /** The VFS of its files. */
  readonly vfsId: string;
  /** When its contract was changed last. */
  readonly appliedAt: Date;
}

/** What has come of an expectation of a contract. */
export interface RaisedOutcome {
  readonly contract: string;
  readonly expectation: string;
  readonly outcome: ExpectationOutcome;
}
