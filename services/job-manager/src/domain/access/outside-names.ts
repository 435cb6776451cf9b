import type { Principal } from '@waybill/access/principal';
import type { OutsideNameView } from '@waybill/contracts/endpoints/access/outside-name-endpoints';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { OutsideIdentity } from './oidc-issuer.ts';

/**
 * Whose the names are that claims of an outside issuer state: of the first subject who logs in with them. Sessions, approvals and
 * the audit log know users by name, and a claim can be given to somebody else.
 */
export interface OutsideNames {
  /** False if the name belongs to another subject. */
  claim(name: UserName, identity: Pick<OutsideIdentity, 'issuer' | 'subject'>): Promise<boolean>;
  /** By name: only that of `name`, and those behind `after`. */
  list(wanted: {
    readonly name: UserName | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  }): Promise<readonly OutsideNameView[]>;
  /** Releases a name, ends the sessions of its user, and audits that. @throws CodedError `entity_unknown` */
  release(by: Principal, name: UserName): Promise<void>;
}
