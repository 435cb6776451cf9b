import type { Expiry } from '@waybill/contracts/endpoints/administration/list-expiries';
import { Link } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { usePermissions } from '../../api/permissions.ts';
import { addressOf, findCollection } from '../stored/collection.ts';

/** The name of what expires, which leads to the object that it belongs to: what a process has reported is of none. */
export function ExpiringName({ expiry }: { readonly expiry: Expiry }) {
  const { userName } = usePermissions();
  const address = addressOfExpiring(expiry, userName);
  const name = <OutsideText text={expiry.name} />;
  return address === undefined ? name : <Link href={address}>{name}</Link>;
}

const collectionOf = {
  'user-ssh-key': 'users',
  'legacy-algorithms': 'users',
  'connection-ssh-key': 'client-connections',
  'connection-certificate': 'client-connections',
  'pgp-key': 'pgp-keys',
} as const;

/** Where what expires is changed; undefined if nowhere in the console. */
export function addressOfExpiring(
  { kind, name, actor, detail }: Pick<Expiry, 'kind' | 'name' | 'actor' | 'detail'>,
  ownName: string | undefined,
): string | undefined {
  switch (kind) {
    case 'user-ssh-key':
    case 'legacy-algorithms':
    case 'connection-ssh-key':
    case 'connection-certificate':
    case 'pgp-key': {
      const resource = findCollection(collectionOf[kind]);
      return resource && addressOf(resource, { name, actor: actor ?? undefined });
    }
    // The detail is the user whose key it is.
    case 'api-key':
      return detail === ownName ? '/account' : `/configuration/manager-users/${encodeURIComponent(detail)}`;
    // The health of the process that has reported it is on the page Now.
    case 'tls-certificate':
    case 'signing-key':
    case 'host-key':
      return '/';
    default:
      return undefined;
  }
}
