import type { ConfigurationDrift } from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import type { PassedEntity } from '@waybill/directory/administration/change-owner';
import type { Administrator } from './administration.ts';

/** Objects that change their owner, all or none. */
export interface OwnerRequest {
  readonly source: string;
  readonly targets: readonly PassedEntity[];
  readonly reason: string;
  readonly by: Administrator;
}

/** Who owns the objects of the configuration. Each change is audited. */
export interface Ownership {
  /** @throws CodedError `entity_unknown`, `entity_owned`, `precondition_failed` */
  adopt(request: OwnerRequest): Promise<void>;
  /** @throws CodedError `entity_unknown`, `entity_owned`, `precondition_failed` */
  release(request: OwnerRequest): Promise<void>;
  /** Where the state differs from what a source, or all of them, have applied. */
  drift(source?: string): Promise<ConfigurationDrift>;
}
