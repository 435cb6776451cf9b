import type {
  AppliedPlanView,
  ExportedDocument,
  PlanView,
} from '@waybill/contracts/endpoints/administration/configuration-views';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { countEntitiesUpTo, measurePlan } from '@waybill/directory/plans/measure-work';
import type { Database } from '@waybill/postgres/database';
import type { Configurations } from '../../domain/administration/configurations.ts';
import type { ConfigurationCall } from './configuration-messages.ts';
import type { ConfigurationProcesses } from './configuration-process.ts';
import { createConfigurations } from './open-configurations.ts';
import type { WrittenAt } from './written-files.ts';

/** A document of more characters, or a plan of more compressed bytes, is worked at in another process. */
const documentLength = 16 * 1024;

/** The same if the platform has more entities, or if more of them would change. */
const entityCount = 1_000;

/**
 * Plans, applies and exports configurations with the rights of the operator. Small ones are worked at in this process, in some
 * tens of milliseconds, which is less than a process takes to start; the others in `processes`. One at a time.
 */
export function createSizedConfigurations(parts: {
  readonly db: Database;
  readonly url: string;
  readonly at: WrittenAt;
  readonly processes: ConfigurationProcesses;
}): Configurations {
  const { db, url, at, processes } = parts;
  const here = createConfigurations(db, at);
  const inTurn = oneAtATime();
  const isPlatformSmall = async () => (await countEntitiesUpTo(db, entityCount + 1)) <= entityCount;
  const isSmall = async (call: ConfigurationCall): Promise<boolean> => {
    if ('given' in call && call.given.document.length > documentLength) return false;
    if (call.kind !== 'apply') return await isPlatformSmall();
    const size = await measurePlan(db, call.planId);
    return size.bytes <= documentLength && size.changes <= entityCount && (await isPlatformSmall());
  };
  const choose = async <Result>(call: ConfigurationCall, run: () => Promise<Result>): Promise<Result> =>
    // The process runs the same function.
    (await isSmall(call)) ? await run() : ((await processes.run({ call, url, at })) as Result);
  return {
    plan: inTurn((given, by) => choose<PlanView>({ kind: 'plan', given, by }, () => here.plan(given, by))),
    apply: inTurn((planId, by) => choose<AppliedPlanView>({ kind: 'apply', planId, by }, () => here.apply(planId, by))),
    validate: inTurn((given, by) =>
      choose<readonly FieldError[]>({ kind: 'validate', given, by }, () => here.validate(given, by)),
    ),
    export: inTurn((wanted, by) =>
      choose<ExportedDocument[]>({ kind: 'export', wanted, by }, () => here.export(wanted, by)),
    ),
  };
}

/** Makes functions that wait until the calls of all of them before have ended. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      const result = last.then(() => run(...args));
      last = result.catch(() => {});
      return result;
    };
}
