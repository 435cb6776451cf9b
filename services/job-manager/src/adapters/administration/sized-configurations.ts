import type { GivenDocument } from '@waybill/configuration/document/read-document';
import type {
  AppliedPlanView,
  ExportedDocument,
  PlanView,
} from '@waybill/contracts/endpoints/administration/configuration-views';
import { WrittenJson } from '@waybill/contracts/endpoints/written-json';
import { type FieldError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { countEntitiesUpTo, measurePlan } from '@waybill/directory/plans/measure-work';
import type { Database } from '@waybill/postgres/database';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { ConfigurationsInTurn } from '../../domain/administration/configurations.ts';
import type { ConfigurationCall } from './configuration-messages.ts';
import type { ConfigurationProcesses } from './configuration-process.ts';
import { createConfigurationTurns } from './configuration-turns.ts';
import { createConfigurations } from './open-configurations.ts';
import type { WrittenAt } from './written-files.ts';

/** A document of more characters with its variables, or a plan of more compressed bytes, is worked at in another process. */
const documentLength = 16 * 1024;

/** The same if its texts have more characters when the variables are inserted, each as often as it is named. */
const filledLength = 4 * documentLength;

/** The same if the platform has more entities, or if more of them would change. */
const entityCount = 1_000;

/** Each waiting one may have a document of 32 MiB. */
const waitingAtMost = { ofUser: 4, inAll: 12 } as const;

/**
 * Plans, applies and exports configurations with the rights of the operator. Small ones are worked at in this process, in some
 * tens of milliseconds, which is less than a process takes to start; the others in `processes`. One at a time, in turns.
 */
export function createSizedConfigurations(parts: {
  readonly db: Database;
  readonly url: string;
  readonly at: WrittenAt;
  readonly processes: ConfigurationProcesses;
}): ConfigurationsInTurn {
  const { db, url, at, processes } = parts;
  const here = createConfigurations(db, at, { charactersAtMost: filledLength });
  const turns = createConfigurationTurns(waitingAtMost);
  const isPlatformSmall = async () => (await countEntitiesUpTo(db, entityCount + 1)) <= entityCount;
  const isSmall = async (call: ConfigurationCall): Promise<boolean> => {
    if ('given' in call && lengthOf(call.given) > documentLength) return false;
    if (call.kind !== 'apply') return await isPlatformSmall();
    const size = await measurePlan(db, call.planId);
    return size.bytes <= documentLength && size.changes <= entityCount && (await isPlatformSmall());
  };
  const choose = <Result, Large>(
    { call, run, read }: Choice<Result, Large>,
    signal: AbortSignal,
  ): Promise<Result | Large> =>
    turns({ kind: call.kind, user: call.by.userName, signal }, async (stop) => {
      const small = (await isSmall(call)) ? await unlessTooLarge(run) : undefined;
      if (small) return small.result;
      return read(await processes.run({ call, url, at, client: currentClient() }, stop));
    });
  return {
    plan: (given, by, signal) => {
      const call = { kind: 'plan', given, by } as const;
      return choose({ call, run: () => here.plan(given, by), read: (json) => new WrittenJson<PlanView>(json) }, signal);
    },
    apply: (planId, by, signal) => {
      const call = { kind: 'apply', planId, by } as const;
      return choose(
        { call, run: () => here.apply(planId, by), read: (json) => parse(json) as AppliedPlanView },
        signal,
      );
    },
    validate: (given, by, signal) => {
      const call = { kind: 'validate', given, by } as const;
      return choose({ call, run: () => here.validate(given, by), read: (json) => parse(json) as FieldError[] }, signal);
    },
    export: (wanted, by, signal) => {
      const call = { kind: 'export', wanted, by } as const;
      return choose(
        { call, run: () => here.export(wanted, by), read: (json) => parse(json) as ExportedDocument[] },
        signal,
      );
    },
  };
}

/** The result; `undefined` if the texts of the document are too large for this process when its variables are inserted. */
async function unlessTooLarge<Result>(run: () => Promise<Result>): Promise<{ readonly result: Result } | undefined> {
  try {
    return { result: await run() };
  } catch (error) {
    if (isCodedError(error, 'configuration_too_large')) return undefined;
    throw error;
  }
}

/** The characters of a document and of what comes with it. */
function lengthOf({ document, variables, defaults }: GivenDocument): number {
  const texts = [document, ...Object.entries(variables).flat(), ...defaults];
  return texts.reduce((length, text) => length + text.length, 0);
}

/** A call, in this process or in another. */
interface Choice<Result, Large> {
  readonly call: ConfigurationCall;
  run(): Promise<Result>;
  /** Reads the result of another process. */
  read(json: Buffer): Large;
}

/** The process runs the same function, so that the result has its type. */
function parse(json: Buffer): unknown {
  return JSON.parse(json.toString());
}
