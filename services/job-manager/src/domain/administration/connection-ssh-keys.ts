import type { SshKeyKind } from '@waybill/contracts/configuration/connections/ssh-key-kind';
import type { WriteConditions } from '@waybill/directory/administration/write-in-transaction';
import type { Administrator } from './administration.ts';
import type { SecretAddress, SecretFacts, SecretQuery } from './stored-secrets.ts';

/** What administrators see of a private SSH key of client connections. */
export interface ConnectionSshKeyFacts extends SecretFacts {
  readonly publicKey: string;
  /** As `ssh-keygen -l` shows it. */
  readonly fingerprint: string;
  readonly uses: readonly { readonly connection: string; readonly keyExpires: string | null }[];
}

/** A key that is stored as the secret at an address, in place of an earlier one. */
export interface KeyAt extends SecretAddress {
  readonly comment: string;
  readonly conditions: WriteConditions;
}

/** A key as it was stored. */
export interface StoredKey {
  readonly isNew: boolean;
  readonly key: ConnectionSshKeyFacts;
}

/**
 * The private SSH keys of client connections: secrets whose public part is known. The platform derives it itself. No private part is
 * ever shown. Both writes throw CodedError `not_permitted`, `configuration_invalid` without a key ring, `entity_exists`,
 * `precondition_failed`, and `too_many_requests` if too many are waiting.
 */
export interface ConnectionSshKeys {
  /** Those that the administrator reaches. */
  list(wanted: SecretQuery, by: Administrator): Promise<ConnectionSshKeyFacts[]>;
  /** @throws CodedError `secret_unknown`, also for those that the administrator does not reach, and for other secrets */
  find(address: SecretAddress, by: Administrator): Promise<ConnectionSshKeyFacts>;
  generate(key: KeyAt & { readonly kind: SshKeyKind }, by: Administrator): Promise<StoredKey>;
  /** The passphrase is used once. @throws CodedError `validation_failed` that says why the key is refused, without any of its bytes */
  importKey(
    key: KeyAt & { readonly privateKey: string; readonly passphrase: string | undefined },
    by: Administrator,
  ): Promise<StoredKey>;
}
