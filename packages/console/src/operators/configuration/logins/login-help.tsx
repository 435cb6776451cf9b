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
import { FirstPasswordCode } from './first-password.tsx';
import { NewPasswordButton } from './new-password-button.tsx';
import { SecondFactorState } from './second-factor-state.tsx';
import { UserKeys } from './user-keys.tsx';

const { partners } = texts;

interface LoginHelpProps {
  readonly resource: AdministeredResource;
  readonly address: ObjectAddress;
  readonly object: ConfiguredObject;
}

/** What helps a user who cannot log in: for users of partners and manager users, besides their settings. */
export function LoginHelp(props: LoginHelpProps) {
  const { may, mayForAll } = usePermissions();
  const { resource, object } = props;
  // What a source owns, the source sets.
  const maySetPassword = object.source === null && may(permissionOn(resource, 'write'));
  if (resource.collection === 'users') return <PartnerLogin {...props} maySetPassword={maySetPassword} />;
  if (resource.collection !== 'manager-users' || !mayForAll('identities:read')) return null;
  return <ManagerLogin {...props} maySetPassword={maySetPassword} />;
}

function ManagerLogin(props: LoginHelpProps & { readonly maySetPassword: boolean }) {
  const { resource, address, object, maySetPassword } = props;
  const { userName, mayForAll } = usePermissions();
  const { name } = address;
  // The own password and second factor are changed on the page of the account.
  const isOwn = name === userName;
  return (
    <>
      <ApiKeys userName={name} isOwn={isOwn} />
      <Panel title={partners.login}>
        {!isOwn && (
          <div className="buttons">
            {maySetPassword && <NewPasswordButton {...{ resource, address }} />}
            {mayForAll('identities:write') && object['enabled'] !== false && <FirstPasswordCode name={name} />}
          </div>
        )}
        <SecondFactorState
          name={name}
          find={(signal) => callEndpoint(findManagerSecondFactorEndpoint, { params: { name }, signal })}
          mayReset={mayForAll('identities:delete') && !isOwn}
          reset={() => callEndpoint(resetSecondFactorEndpoint, { params: { name } })}
        />
      </Panel>
    </>
  );
}

function PartnerLogin(props: LoginHelpProps & { readonly maySetPassword: boolean }) {
  const { resource, address, object, maySetPassword } = props;
  const { lastLoginAt } = object;
  const { name: userName } = address;
  const { may } = usePermissions();
  return (
    <Panel title={partners.login}>
      <p>
        {partners.lastLogin}: {lastLoginAt === undefined ? partners.noLogin : formatTime(lastLoginAt)}
      </p>
      <div className="buttons">
        {may('freezes:read') && <FreezeState userName={userName} />}
        {maySetPassword && <NewPasswordButton {...{ resource, address }} />}
      </div>
      <h3>{partners.keys}</h3>
      <UserKeys userName={userName} />
      <SecondFactorState
        name={userName}
        find={(signal) => callEndpoint(findUserSecondFactorEndpoint, { params: { userName }, signal })}
        mayReset={may('configuration:delete')}
        reset={() => callEndpoint(resetUserSecondFactorEndpoint, { params: { userName } })}
      />
    </Panel>
  );
}
