import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { ChangePreview, ObjectChange } from '@waybill/contracts/endpoints/administration/configuration-views';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { WriterRights } from '@waybill/directory/administration/assert-may-write';
import type { ChangePlace } from '@waybill/directory/administration/change-place';
import type { WriteConditions } from '@waybill/directory/administration/write-in-transaction';
import type { AccessQuestion, ExplainedAccess } from '@waybill/directory/explain/explain-access';
import type { FirstPasswordCode } from '@waybill/directory/logins/issue-first-passwords';
import type { AppliedRevision, RevisionDocument } from '@waybill/directory/queries/list-revisions';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import type { EntityQuery, StoredPart } from '@waybill/directory/sources/list-entities';
import type { SortValue } from '@waybill/directory/sources/list-order';

/** An object of the configuration. */
export interface ConfiguredObject {
  readonly id: string;
  readonly name: string;
  readonly source: EntityOwner;
  /** Its settings without passwords, and the name of its actor if it belongs to one. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** What the platform notes of it. */
  readonly times: Readonly<Record<string, string>>;
  /** The same as long as settings and owner stay the same. */
  readonly version: string;
}

/** The last object of a page. */
export interface ObjectCursor {
  readonly name: string;
  readonly id: string;
  /** Of the setting that the list is sorted by, if it is one; null: it is absent. */
  readonly value?: SortValue;
}

/** Which parts are listed: those in a setting, of all objects of a kind or of one. */
export type PartQuery = EntityQuery & { readonly setting: string; readonly parent?: string | undefined };

/** Explains whether a user may do something now. @throws CodedError as `explainAccess` of the directory does */
export type ExplainAccess = (question: AccessQuestion) => Promise<ExplainedAccess>;

/** Who asks, and what this user may do. */
export interface Administrator extends WriterRights {
  readonly userName: string;
}

/**
 * Makes the settings of an object, without its actor, of those that are stored, with it. A password does not depend on what is
 * stored.
 */
export type MakeSettings = (stored: Readonly<Record<string, unknown>> | undefined) => object;

/** A change of one object: it is created or replaced, or deleted if there are no settings. */
export interface ObjectWrite extends WriteConditions {
  readonly target: EntityTarget;
  readonly settings?: MakeSettings | undefined;
  /** If a request has several. Errors name it. */
  readonly place?: ChangePlace | undefined;
}

/** A change that creates or replaces an object. */
export type ObjectPut = ObjectWrite & { readonly settings: MakeSettings };

/**
 * Reads and writes the configuration for administrators. Each change is checked with everything that it refers to and that
 * refers to it, and audited.
 */
export interface Administration {
  list(query: EntityQuery): Promise<{ readonly objects: readonly ConfiguredObject[]; readonly next?: ObjectCursor }>;
  /** Parts of objects of a kind. */
  listParts(query: PartQuery): Promise<readonly StoredPart[]>;
  /** @throws CodedError `entity_unknown` */
  find(target: EntityTarget, by: Administrator): Promise<ConfiguredObject>;
  /**
   * Creates or replaces an object.
   * @throws CodedError `not_permitted`, `validation_failed`, `entity_exists`, `entity_owned`, `entity_in_use`, `precondition_failed`, and what `settings` throws
   */
  put(write: ObjectPut, by: Administrator): Promise<{ readonly object: ConfiguredObject; readonly isNew: boolean }>;
  readonly explain: ExplainAccess;
  /** As `listRevisions` of the directory. */
  listRevisions(
    name: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly AppliedRevision[]>;
  /** As `readRevision` of the directory. */
  readRevision(name: string, revision: number): Promise<RevisionDocument>;
  /** What changes would do, of which nothing is done. @throws CodedError as making them would */
  preview(writes: readonly ObjectWrite[], by: Administrator): Promise<ChangePreview>;
  /**
   * Makes changes in their order, all or none. `broken`: the access tests that a forced change has broken, each in a sentence.
   * @throws CodedError as `put` and `remove` do
   */
  change(
    writes: readonly ObjectWrite[],
    by: Administrator,
  ): Promise<{ readonly changes: ObjectChange[]; readonly broken: readonly string[] }>;
  /** As `renewFirstPassword` of the directory. */
  renewFirstPassword(userName: UserName, by: Administrator): Promise<FirstPasswordCode>;
  /** @throws CodedError `not_permitted`, `entity_unknown`, `entity_owned`, `entity_in_use`, `precondition_failed` */
  remove(write: Omit<ObjectWrite, 'settings'>, by: Administrator): Promise<void>;
}
