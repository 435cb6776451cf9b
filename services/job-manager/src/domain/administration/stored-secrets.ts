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

/** The secrets of client connections. No value is ever shown. */
export interface StoredSecrets {
  /** Those that the administrator reaches, by actor and name, those of the platform first. */
  list(
    wanted: {
      readonly actor: string | undefined;
      readonly after: SecretAddress | undefined;
      readonly limit: number;
    },
    by: Administrator,
  ): Promise<SecretFacts[]>;
  /** @throws CodedError `secret_unknown`, also for those that the administrator does not reach */
  find(address: SecretAddress, by: Administrator): Promise<SecretFacts>;
  /**
   * Stores a value, encrypted, and audits that without it. Returns whether the secret is new.
   * @throws CodedError `not_permitted`, `configuration_invalid` without a key ring, `validation_failed`, `entity_exists`, `precondition_failed`
   */
  store(
    secret: SecretAddress & { readonly value: string; readonly conditions: WriteConditions },
    by: Administrator,
  ): Promise<{ readonly isNew: boolean }>;
  /**
   * With `force` also one that client connections or PGP keys refer to.
   * @throws CodedError `secret_unknown`, also for those that the administrator does not reach; `entity_in_use`, `precondition_failed`
   */
  remove(
    secret: SecretAddress & { readonly conditions: Pick<WriteConditions, 'ifMatch'>; readonly force: boolean },
    by: Administrator,
  ): Promise<void>;
}
