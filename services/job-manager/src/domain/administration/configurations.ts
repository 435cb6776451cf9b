import type { GivenDocument } from '@waybill/configuration/document/read-document';
import type { DocumentFormat } from '@waybill/configuration/document/render-document';
import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type {
  AppliedPlanView,
  ExportedDocument,
  PlanView,
} from '@waybill/contracts/endpoints/administration/configuration-views';
import type { WrittenJson } from '@waybill/contracts/endpoints/written-json';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import type { Administrator } from './administration.ts';

/** Plans, applies and exports configurations as a whole, for administrators. What changes is audited. */
export interface Configurations {
  /** @throws CodedError `configuration_invalid`, whose fields are places of the document; `not_permitted` */
  plan(given: GivenDocument, by: Administrator): Promise<PlanView>;
  /** @throws CodedError `plan_unknown`, `plan_outdated` */
  apply(planId: string, by: Administrator): Promise<AppliedPlanView>;
  /** The errors of a document. @throws CodedError `not_permitted` */
  validate(given: GivenDocument, by: Administrator): Promise<readonly FieldError[]>;
  /** What one owner has, or what all have. */
  export(
    wanted: { readonly owner?: EntityOwner; readonly format: DocumentFormat },
    by: Administrator,
  ): Promise<ExportedDocument[]>;
}

/** The same, with a signal that is aborted when the client has gone: a call that still waits is dropped. */
export type ConfigurationsInTurn = {
  /** @throws CodedError also `too_many_requests` */
  readonly [Call in keyof Configurations]: (
    ...args: [...Parameters<Configurations[Call]>, signal: AbortSignal]
  ) => Promise<ResultInTurn<Call>>;
};

type ResultOf<Call extends keyof Configurations> = Awaited<ReturnType<Configurations[Call]>>;

/** Another process may have made a plan, which is as large as its document. */
type ResultInTurn<Call extends keyof Configurations> =
  | ResultOf<Call>
  | (Call extends 'plan' ? WrittenJson<ResultOf<Call>> : never);

/** How the process of a large configuration has ended: it has answered, was ended for a reason, or has died. */
export type ConfigurationOutcome = 'answered' | 'timed_out' | 'out_of_memory' | 'stopped' | 'died';

/** What operators learn of the processes of large configurations. */
export interface ConfigurationEvents {
  configurationProcessStarted(call: keyof Configurations): void;
  configurationProcessEnded(call: keyof Configurations, outcome: ConfigurationOutcome): void;
}
