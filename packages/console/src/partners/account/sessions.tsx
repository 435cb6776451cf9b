import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure } from '../../page-kit/components/failure.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { messages } from '../../page-kit/messages/messages.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { endSession, listSessions, type OwnSession } from '../api/account.ts';

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
  if (data === undefined) return <p role="status">{messages.loading}</p>;
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
  const name = `${messages.endSession}: ${protocol} ${address ?? ''}`.trim();
  return (
    <li>
      <Facts
        facts={[
          [messages.protocol, current ? messages.thisSession(protocol) : protocol],
          [messages.openedAt, formatTime(openedAt)],
          [messages.clientAddress, address ?? ''],
          [messages.clientSoftware, client ?? ''],
        ]}
      />
      {!current && (
        <Button className="button danger" aria-label={name} onPress={() => setAsking(true)}>
          {messages.endSession}
        </Button>
      )}
      {isAsking && (
        <AppDialog
          title={messages.endSessionTitle}
          action={messages.endSession}
          isBusy={isBusy}
          failure={failure}
          isDangerous
          onAction={run}
          onClose={close}
        >
          <p>{messages.endSessionWarning}</p>
        </AppDialog>
      )}
    </li>
  );
}
