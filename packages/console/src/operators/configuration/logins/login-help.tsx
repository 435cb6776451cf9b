import { resetSecondFactorEndpoint } from '@waybill/contracts/endpoints/access/second-factor-endpoints';
import { resetUserSecondFactorEndpoint } from '@waybill/contracts/endpoints/users/user-second-factor-endpoint';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { ApiKeys } from '../../account/api-keys.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Panel } from '../../frame/panel.tsx';
import { FreezeState } from '../../now/sessions/user-freeze.tsx';
import { texts } from '../../texts/texts.ts';
import { UserKeys } from './user-keys.tsx';

const { partners } = texts;

/** What helps a user who cannot log in: for users of partners and manager users, besides their settings. */
export function LoginHelp(props: {
  readonly collection: string;
  readonly name: string;
  readonly lastLoginAt: string | undefined;
}) {
  const { collection, name, lastLoginAt } = props;
  const { userName, may, mayForAll } = usePermissions();
  if (collection === 'manager-users') {
    const reset = () => callEndpoint(resetSecondFactorEndpoint, { params: { name } });
    return (
      <>
        {mayForAll('identities:read') && <ApiKeys userName={name} isOwn={name === userName} />}
        {mayForAll('identities:delete') && (
          <Panel title={partners.login}>
            <ResetSecondFactor name={name} reset={reset} />
          </Panel>
        )}
      </>
    );
  }
  if (collection !== 'users') return null;
  const reset = () => callEndpoint(resetUserSecondFactorEndpoint, { params: { userName: name } });
  return (
    <Panel title={partners.login}>
      <p>
        {partners.lastLogin}: {lastLoginAt === undefined ? partners.noLogin : formatTime(lastLoginAt)}
      </p>
      {may('freezes:read') && (
        <div className="buttons">
          <FreezeState userName={name} />
        </div>
      )}
      <h3>{partners.keys}</h3>
      <UserKeys userName={name} />
      {may('configuration:delete') && <ResetSecondFactor name={name} reset={reset} />}
    </Panel>
  );
}

function ResetSecondFactor({ name, reset }: { readonly name: string; readonly reset: () => Promise<unknown> }) {
  return (
    <ConfirmButton
      label={partners.resetSecondFactor}
      title={partners.resetSecondFactorOf(name)}
      isDangerous
      act={reset}
    >
      <p>{partners.resetSecondFactorHint}</p>
    </ConfirmButton>
  );
}
