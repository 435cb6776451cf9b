import { useQuery } from '@tanstack/react-query';
import {
  deleteUserSshKeyEndpoint,
  listUserSshKeysEndpoint,
} from '@waybill/contracts/endpoints/users/user-ssh-key-endpoints';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Failure } from '../../frame/page-frame.tsx';
import { texts } from '../../texts/texts.ts';

const { partners } = texts;

/** The SSH keys of a user of a partner. Those that the user has added can be deleted; the others are settings of the user. */
export function UserKeys({ userName }: { readonly userName: string }) {
  const mayDelete = usePermissions().may('configuration:delete');
  const { data, error, refetch } = useQuery({
    queryKey: ['ssh keys', userName],
    queryFn: ({ signal }) => callEndpoint(listUserSshKeysEndpoint, { params: { userName }, signal }),
  });
  const remove = async (id: string): Promise<void> => {
    await callEndpoint(deleteUserSshKeyEndpoint, { params: { userName, id } });
    await refetch();
  };
  return (
    <>
      <Failure error={error} isRead={data !== undefined} />
      {data?.keys.length === 0 && <p>{partners.noKeys}</p>}
      <ul>
        {data?.keys.map(({ id, origin, fingerprint, comment = '', expires, lastUsedAt }) => (
          <li key={id}>
            <OutsideText text={fingerprint} /> <OutsideText text={comment} />{' '}
            {partners.key({
              expires: expires === undefined ? undefined : formatTime(expires),
              lastUsed: lastUsedAt === undefined ? undefined : formatTime(lastUsedAt),
            })}{' '}
            {origin === 'own' && mayDelete && (
              <ConfirmButton
                label={partners.deleteKey}
                name={partners.deleteKeyOf(fingerprint)}
                title={partners.deleteKeyOf(fingerprint)}
                isDangerous
                act={() => remove(id)}
              >
                <p>{partners.deleteKeyHint}</p>
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
