import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import type { ExpectationState } from '../../domain/expectations/expectation-state.ts';

/** A state of an expectation in the form of the interface. */
export function presentExpectation(shown: ExpectationState): ExpectationView {
  const { id, actor, contract, expectation, kind, state, expected, files, lastPath, acknowledgement } = shown;
  return {
    id,
    actor,
    contract,
    expectation,
    kind,
    state,
    expected,
    dueAt: shown.dueAt.toISOString(),
    deadlineAt: shown.deadlineAt.toISOString(),
    files,
    lastPath,
    changedAt: shown.changedAt.toISOString(),
    acknowledgement: acknowledgement ? { ...acknowledgement, at: acknowledgement.at.toISOString() } : null,
  };
}
