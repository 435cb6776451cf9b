import {
  findManagerSecondFactorEndpoint,
  resetSecondFactorEndpoint,
} from '@waybill/contracts/endpoints/access/second-factor-endpoints';
import { type AdministeredResource, permissionOn } from '@waybill/contracts/endpoints/administration/resource';
import {
  findUserSecondFactorEndpoint,
  resetUserSecondFactorEndpoint,
} from '@waybill/contracts/endpoints/users/user-second-factor-endpoint';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { ApiKeys } from '../../account/api-keys.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { Panel } from '../../frame/panel.tsx';
import { FreezeState } from '../../now/sessions/user-freeze.tsx';
import { texts } from '../../texts/texts.ts';
import type { ConfiguredObject, ObjectAddress } from '../stored/objects.ts';
import { NewPasswordButton } from './new-password-button.tsx';
import { SecondFactorState } from './second-factor-state.tsx';
import { UserKeys } from './user-keys.tsx';

const { partners } = texts;

/** What helps a user who cannot log in: for users of partners and manager users, besides their settings. */
export function LoginHelp(props: {
  readonly resource: AdministeredResource;
  readonly address: ObjectAddress;
  readonly object: ConfiguredObject;
}) {
  const { resource, address, object } = props;
  const { collection } = resource;
  const { name } = address;
  const { lastLoginAt, source } = object;
  const { userName, may, mayForAll } = usePermissions();
  // What a source owns, the source sets.
  const maySetPassword = source === null && may(permissionOn(resource, 'write'));
  if (collection === 'manager-users') {
    if (!mayForAll('identities:read')) return null;
    return (
      <>
        <ApiKeys userName={name} isOwn={name === userName} />
        <Panel title={partners.login}>
          {maySetPassword && name !== userName && (
            <div className="buttons">
              <NewPasswordButton {...{ resource, address }} />
            </div>
          )}
          <SecondFactorState
            name={name}
            find={(signal) => callEndpoint(findManagerSecondFactorEndpoint, { params: { name }, signal })}
            // The own one is removed on the page of the account, with a code.
            mayReset={mayForAll('identities:delete') && name !== userName}
            reset={() => callEndpoint(resetSecondFactorEndpoint, { params: { name } })}
          />
        </Panel>
      </>
    );
  }
  if (collection !== 'users') return null;
  return (
    <Panel title={partners.login}>
      <p>
        {partners.lastLogin}: {lastLoginAt === undefined ? partners.noLogin : formatTime(lastLoginAt)}
      </p>
      <div className="buttons">
        {may('freezes:read') && <FreezeState userName={name} />}
        {maySetPassword && <NewPasswordButton {...{ resource, address }} />}
      </div>
      <h3>{partners.keys}</h3>
      <UserKeys userName={name} />
      <SecondFactorState
        name={name}
        find={(signal) => callEndpoint(findUserSecondFactorEndpoint, { params: { userName: name }, signal })}
        mayReset={may('configuration:delete')}
        reset={() => callEndpoint(resetUserSecondFactorEndpoint, { params: { userName: name } })}
      />
    </Panel>
  );
}
