import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure } from '../../page-kit/components/failure.tsx';
import { type KeptDialogState, useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { shortClient } from '../../page-kit/format/short-client.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { endSession, listSessions, type OwnSession } from '../api/account.ts';
import { texts } from '../texts.ts';

const queryKey = ['account', 'sessions'];

const refreshEveryMs = 1_500;

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
  const open = useKeptDialog();
  const { protocol, openedAt, address, current } = session;
  const name = `${texts.endSession}: ${[protocol, address ?? '', formatTime(openedAt)].join(' ')}`;
  return (
    <li>
      <SessionFacts {...session} client={session.client === null ? null : shortClient(session.client)} />
      {!current && (
        <Button
          className="button danger"
          aria-label={name}
          onPress={() => open((state) => <EndDialog session={session} onEnded={onEnded} {...state} />)}
        >
          {texts.endSession}
        </Button>
      )}
    </li>
  );
}

function SessionFacts({ protocol, openedAt, address, client, current }: OwnSession) {
  return (
    <Facts
      facts={[
        [texts.protocol, current ? texts.thisSession(protocol) : protocol],
        [texts.openedAt, formatTime(openedAt)],
        [texts.clientAddress, address ?? ''],
        [texts.clientSoftware, client ?? ''],
      ]}
    />
  );
}

interface EndDialogProps extends KeptDialogState {
  readonly session: OwnSession;
  readonly onEnded: () => void;
}

function EndDialog({ session, onEnded, isOutdated, onClose }: EndDialogProps) {
  const { isBusy, failure, run } = useAction(
    () => endSession(session.id),
    () => {
      onClose();
      onEnded();
    },
  );
  return (
    <AppDialog
      title={texts.endSessionTitle}
      action={texts.endSession}
      isBusy={isBusy}
      failure={failure}
      isDangerous
      isOutdated={isOutdated}
      outdated={texts.sessionEnded}
      onAction={run}
      onClose={onClose}
    >
      <SessionFacts {...session} />
      <p>{texts.endSessionWarning}</p>
    </AppDialog>
  );
}
