import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure } from '../../page-kit/components/failure.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { endSession, listSessions, type OwnSession } from '../api/account.ts';
import { texts } from '../texts.ts';

const queryKey = ['account', 'sessions'];

const refreshEveryMs = 10_000;

/** The user's open sessions over HTTP and SFTP, which the user can end. */
export function Sessions() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listSessions(signal),
    refetchInterval: refreshEveryMs,
  });
  const refresh = (): void => void client.invalidateQueries({ queryKey });
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  return (
    <ul className="keys">
      {data.map((session) => (
        <SessionItem key={session.id} session={session} onEnded={refresh} />
      ))}
    </ul>
  );
}

function SessionItem({ session, onEnded }: { readonly session: OwnSession; readonly onEnded: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const { id, protocol, openedAt, address, client, current } = session;
  const close = (): void => setAsking(false);
  const { isBusy, failure, run } = useAction(
    () => endSession(id),
    () => {
      close();
      onEnded();
    },
  );
  const name = `${texts.endSession}: ${protocol} ${address ?? ''}`.trim();
  return (
    <li>
      <Facts
        facts={[
          [texts.protocol, current ? texts.thisSession(protocol) : protocol],
          [texts.openedAt, formatTime(openedAt)],
          [texts.clientAddress, address ?? ''],
          [texts.clientSoftware, client ?? ''],
        ]}
      />
      {!current && (
        <Button className="button danger" aria-label={name} onPress={() => setAsking(true)}>
          {texts.endSession}
        </Button>
      )}
      {isAsking && (
        <AppDialog
          title={texts.endSessionTitle}
          action={texts.endSession}
          isBusy={isBusy}
          failure={failure}
          isDangerous
          onAction={run}
          onClose={close}
        >
          <p>{texts.endSessionWarning}</p>
        </AppDialog>
      )}
    </li>
  );
}
