import { useQueryClient } from '@tanstack/react-query';
import { freezeUserEndpoint } from '@waybill/contracts/endpoints/users/freeze-user';
import { thawUserEndpoint } from '@waybill/contracts/endpoints/users/thaw-user';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { texts } from '../../texts/texts.ts';

const { now } = texts;

/** Freezes a user, and asks why. `isOfSession`: the button vanishes with a session of the user, and not when the user is frozen. */
export function FreezeButton({
  userName,
  isOfSession = false,
}: {
  readonly userName: string;
  readonly isOfSession?: boolean;
}) {
  const client = useQueryClient();
  const freeze = async (reason: string): Promise<void> => {
    await callEndpoint(freezeUserEndpoint, { params: { userName }, query: reason === '' ? {} : { reason } });
    await Promise.all(['sessions', 'freeze'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
  return (
    <ConfirmButton
      label={now.freeze}
      name={now.freezeUser(userName)}
      title={now.freezeTitle(userName)}
      reason={now.freezeReason}
      isReasonRequired={false}
      isDangerous
      outdated={isOfSession ? now.sessionEndedFreeze(userName) : now.changedFreeze(userName)}
      isPossibleOutdated={isOfSession}
      act={freeze}
    >
      <p>{now.freezeEffect}</p>
    </ConfirmButton>
  );
}

/** Thaws a user. `name` is what a screen reader says, where the user has another such button. */
export function ThawButton({
  userName,
  name = now.thawUser(userName),
}: {
  readonly userName: string;
  readonly name?: string;
}) {
  const client = useQueryClient();
  return (
    <ConfirmButton
      label={now.thaw}
      name={name}
      title={now.thawTitle(userName)}
      outdated={now.changedFreeze(userName)}
      act={async () => {
        await callEndpoint(thawUserEndpoint, { params: { userName } });
        await client.invalidateQueries({ queryKey: ['freeze'] });
      }}
    >
      <p>{now.thawEffect}</p>
    </ConfirmButton>
  );
}
