import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import type { WriteConditions } from '@waybill/directory/administration/write-in-transaction';
import type { Administrator } from './administration.ts';

/** The owner and the name of a secret; the platform owns those without an actor. */
export interface SecretAddress {
  readonly actor: string | undefined;
  readonly name: string;
}

/** What administrators see of a secret. */
export interface SecretFacts extends SecretAddress {
  readonly keyId: string;
  readonly updatedAt: Date;
  /** Another one each time that it is stored. */
  readonly version: string;
}

/** Which secrets are listed, and from where. */
export interface SecretQuery {
  readonly actor: string | undefined;
  /** A name, in which `*` matches any sequence. */
  readonly name: string | undefined;
  /** By actor and name, those of the platform first, or by name and actor. */
  readonly order: { readonly by: 'actor' | 'name'; readonly descending: boolean };
  readonly after: SecretAddress | undefined;
  readonly limit: number;
}

/** A value that is to be stored. */
export interface SecretWrite extends SecretAddress {
  readonly value: string;
  readonly conditions: Pick<WriteConditions, 'ifMatch' | 'ifAbsent' | 'ifPresent'>;
}

/** A secret that is to be deleted; with `force` also one that client connections or PGP keys refer to. */
export interface SecretRemoval extends SecretAddress {
  readonly conditions: Pick<WriteConditions, 'ifMatch'>;
  readonly force: boolean;
}

/** The secrets of client connections. No value is ever shown. */
export interface StoredSecrets {
  /** Those that the administrator reaches. */
  list(wanted: SecretQuery, by: Administrator): Promise<SecretFacts[]>;
  /** @throws CodedError `secret_unknown`, also for those that the administrator does not reach */
  find(address: SecretAddress, by: Administrator): Promise<SecretFacts>;
  /**
   * Stores a value, encrypted, and audits that without it. Returns whether the secret is new.
   * @throws CodedError `not_permitted`, `configuration_invalid` without a key ring, `validation_failed`, `entity_exists`, `secret_unknown`, `precondition_failed`
   */
  store(secret: SecretWrite, by: Administrator): Promise<{ readonly isNew: boolean; readonly secret: SecretFacts }>;
  /** What storing a value would do, of which nothing is done. @throws CodedError as storing it would */
  previewStore(secret: SecretWrite, by: Administrator): Promise<ChangePreview>;
  /** @throws CodedError `secret_unknown`, also for those that the administrator does not reach; `entity_in_use`, `precondition_failed` */
  remove(secret: SecretRemoval, by: Administrator): Promise<void>;
  /** What deleting a secret would do, of which nothing is done. @throws CodedError as deleting it would */
  previewRemoval(secret: SecretRemoval, by: Administrator): Promise<ChangePreview>;
}
