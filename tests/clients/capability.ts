import type { Fixture } from './fixture.ts';
import type { ActionName } from './transfer-client.ts';
import type { Trial } from './trial.ts';

/** One row of the table: what a client is tried for. */
export interface Capability {
  readonly title: string;
  /** What the client must offer to be tried at all. */
  readonly needs: readonly ActionName[];
  /** Throws when it does not work, or leaves something else than it should. */
  run(trial: Trial, fixture: Fixture): Promise<void>;
}
