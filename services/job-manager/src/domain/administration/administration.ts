import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { WriterRights } from '@waybill/directory/administration/assert-may-write';
import type { WriteConditions } from '@waybill/directory/administration/write-entity';
import type { AccessQuestion, ExplainedAccess } from '@waybill/directory/explain/explain-access';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import type { EntityQuery } from '@waybill/directory/sources/stored-entities';

/** An object of the configuration. */
export interface ConfiguredObject {
  readonly id: string;
  readonly name: string;
  readonly source: EntityOwner;
  /** Its settings without passwords, and the name of its actor if it belongs to one. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The same as long as settings and owner stay the same. */
  readonly version: string;
}

/** The last object of a page. */
export interface ObjectCursor {
  readonly name: string;
  readonly id: string;
}

/** Explains whether a user may do something now. @throws CodedError as `explainAccess` of the directory does */
export type ExplainAccess = (question: AccessQuestion) => Promise<ExplainedAccess>;

/** Who asks, and what this user may do. */
export interface Administrator extends WriterRights {
  readonly userName: string;
}

/**
 * Reads and writes the configuration for administrators. Each change is checked with everything that it refers to and that
 * refers to it, and audited.
 */
export interface Administration {
  list(query: EntityQuery): Promise<{ readonly objects: readonly ConfiguredObject[]; readonly next?: ObjectCursor }>;
  /** @throws CodedError `entity_unknown` */
  find(target: EntityTarget, by: Administrator): Promise<ConfiguredObject>;
  /**
   * Creates or replaces an object. `settings` makes the new ones of those that are stored, without the actor.
   * @throws CodedError `not_permitted`, `validation_failed`, `entity_exists`, `entity_owned`, `entity_in_use`, `precondition_failed`, and what `settings` throws
   */
  put(
    target: EntityTarget,
    change: WriteConditions & {
      readonly settings: (stored: Readonly<Record<string, unknown>> | undefined) => object;
      readonly by: Administrator;
    },
  ): Promise<{ readonly object: ConfiguredObject; readonly isNew: boolean }>;
  readonly explain: ExplainAccess;
  /** @throws CodedError `not_permitted`, `entity_unknown`, `entity_owned`, `entity_in_use`, `precondition_failed` */
  remove(target: EntityTarget, change: WriteConditions & { readonly by: Administrator }): Promise<void>;
}
