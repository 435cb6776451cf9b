import type { Principal } from '@waybill/access/principal';
import type { ApiKeyView, NewApiKey } from '@waybill/contracts/endpoints/access/api-key-endpoints';

/** The API keys of manager users. What is created and revoked is audited. */
export interface ApiKeys {
  /**
   * A key of the caller; `key` is shown once.
   * @throws CodedError `not_permitted` to a caller with an API key, `validation_failed`, `entity_exists`
   */
  create(by: Principal, wanted: NewApiKey): Promise<ApiKeyView & { readonly key: string }>;
  /**
   * The keys of the caller, or of all users if the caller may read them, by number: all that are wanted. A caller with an API key
   * who may not read those of all users gets this key alone.
   */
  list(
    by: Principal,
    wanted?: { readonly user?: string | undefined; readonly after?: string | undefined; readonly limit?: number },
  ): Promise<readonly ApiKeyView[]>;
  /**
   * @throws CodedError `entity_unknown`, also for keys of others if the caller may not delete them; `not_permitted` to a caller with
   * an API key who may not delete those of all users, for any other key
   */
  revoke(by: Principal, id: number): Promise<void>;
}
