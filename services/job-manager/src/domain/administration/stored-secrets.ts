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
}

/** The secrets of client connections. No value is ever shown. */
export interface StoredSecrets {
  /** Those that the administrator reaches, by actor and name. */
  list(by: Administrator): Promise<SecretFacts[]>;
  /**
   * Stores a value, encrypted, and audits that without it. Returns whether the secret is new.
   * @throws CodedError `not_permitted`, `configuration_invalid` without a key ring, `validation_failed`
   */
  store(address: SecretAddress, value: string, by: Administrator): Promise<{ readonly isNew: boolean }>;
  /** @throws CodedError `secret_unknown`, also for those that the administrator does not reach */
  remove(address: SecretAddress, by: Administrator): Promise<void>;
}
