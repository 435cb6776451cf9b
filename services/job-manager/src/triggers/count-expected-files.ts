import type { FileEvent } from '@waybill/contracts/messages/file-event';
import { matchesPattern, parseNamePattern } from '@waybill/contracts/values/name-pattern';
import { matchesPathPattern, parsePathPattern } from '@waybill/contracts/values/path-pattern';
import { nameOf, parentOf, parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { ContractExpectation } from '@waybill/directory/access/contract-expectation';
import type { Transaction } from '@waybill/postgres/database';
import { auditExpectation } from '../adapters/expectations/audit-expectation.ts';
import { addExpectation, lockExpectations } from '../adapters/expectations/due-store.ts';
import { addUnexpected, changeState, lockDue, openDue } from '../adapters/expectations/state-store.ts';
import type { RegisterParts } from '../adapters/jobs/knex-job-register.ts';
import { type DueTime, firstDueAfter, placeFile } from '../domain/expectations/due-times.ts';
import type { ExpectationState } from '../domain/expectations/expectation-state.ts';
import type { TriggeredJobs } from '../domain/triggers/start-triggered-jobs.ts';
import { raiseOfFile } from './raise-outcome.ts';

/** The event of a file, with its number. */
export type NumberedEvent = FileEvent & { readonly id: string };

type FollowedExpectation = Awaited<ReturnType<typeof lockExpectations>>[number];

/**
 * Counts the stored files of a batch of events for the expectations that they match, in the transaction that removes the events:
 * each file is counted once. Calls back with the jobs that are started.
 */
export async function countExpectedFiles(
  trx: Transaction,
  parts: RegisterParts,
  { events, expectations }: { events: readonly NumberedEvent[]; expectations: readonly ContractExpectation[] },
): Promise<TriggeredJobs[]> {
  const matched = expectations.filter((expected) => events.some((event) => matches(event, expected)));
  if (matched.length === 0) return [];
  for (const expected of matched) {
    const first = events.find((event) => matches(event, expected));
    if (first) await addExpectation(trx, expected, firstDueFor(first, expected));
  }
  const locked = await lockExpectations(trx, matched);
  const jobs: TriggeredJobs[] = [];
  for (const event of events) {
    for (const expected of locked.filter((one) => matches(event, one))) {
      const raised = await countFile(trx, parts, event, expected);
      if (raised) jobs.push(raised);
    }
  }
  return jobs;
}

/** No scheduler may have seen the expectation yet. A file that is older than the expectation makes nothing due. */
function firstDueFor({ occurredAt }: FileEvent, { expectation, appliedAt }: ContractExpectation): DueTime {
  return firstDueAfter(new Date(Math.max(Date.parse(occurredAt), appliedAt.getTime())), expectation);
}

function matches(
  { kind, vfsId, path }: FileEvent,
  expected: Pick<ContractExpectation, 'vfsId' | 'expectation'>,
): boolean {
  if (kind !== 'stored' || vfsId !== expected.vfsId) return false;
  const file = parseVirtualPath(path);
  const { virtualPath, filePattern } = expected.expectation;
  return (
    matchesPathPattern(parentOf(file), parsePathPattern(virtualPath)) &&
    matchesPattern(nameOf(file), parseNamePattern(filePattern))
  );
}

async function countFile(
  trx: Transaction,
  parts: RegisterParts,
  event: NumberedEvent,
  { contract, actorId, expectation, firstDueAt }: FollowedExpectation,
): Promise<TriggeredJobs | undefined> {
  const { name, count, windowMinutes } = expectation;
  const at = new Date(event.occurredAt);
  const of = { contract, actorId, expectation: name };
  const { due, previous, isEarly } = placeFile(at, expectation);
  const raise = (outcome: 'met' | 'late' | 'unexpected', { dueAt }: DueTime, files: number) =>
    raiseOfFile(trx, parts, { ...of, outcome, dueAt, files }, event);
  const countFor = async (state: ExpectationState, outcome: 'met' | 'late'): Promise<TriggeredJobs | undefined> => {
    const files = state.files + 1;
    const isComplete = files === count.min;
    const isSettled = !isComplete || state.state === 'acknowledged';
    const changed = { state: isSettled ? state.state : outcome, files, lastPath: event.path, at };
    await changeState(trx, state.id, changed);
    if (!isComplete) return undefined;
    if (outcome === 'late') {
      await auditExpectation(trx, parts.site, 'expectationLate', state, { user: event.userName, path: event.path });
    }
    return raise(outcome, state, files);
  };
  const countUnexpected = async (): Promise<TriggeredJobs> => {
    const files = await addUnexpected(trx, of, due, { path: event.path, at });
    if (files === 1) {
      const state = { ...of, dueAt: due.dueAt, id: name };
      await auditExpectation(trx, parts.site, 'unexpectedFiles', state, { user: event.userName, path: event.path });
    }
    return raise('unexpected', due, files);
  };

  if (isEarly) {
    const missing = previous && (await lockDue(trx, of, previous));
    const isMissing = missing?.state === 'missed' || missing?.state === 'acknowledged';
    if (missing && isMissing && missing.files < count.min) return countFor(missing, 'late');
    if (windowMinutes !== undefined) return countUnexpected();
  }
  if (due.dueAt < firstDueAt) return undefined;
  await openDue(trx, of, due);
  const state = await lockDue(trx, of, due);
  if (!state) return undefined;
  return count.max !== undefined && state.files >= count.max ? countUnexpected() : countFor(state, 'met');
}
