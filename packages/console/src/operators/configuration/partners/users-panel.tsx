import { useQuery } from '@tanstack/react-query';
import { listHttpSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/http-session-endpoints';
import { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import { listUserFreezesEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-user-freezes';
import { findUserFreezeEndpoint } from '@waybill/contracts/endpoints/users/find-user-freeze';
import { useState } from 'react';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { serverNow } from '../../../page-kit/format/server-clock.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { refreshEveryMs } from '../../now/refresh.ts';
import { texts } from '../../texts/texts.ts';
import { UserKeys } from '../logins/user-keys.tsx';
import type { ConnectionContract } from '../related/connection-contracts.ts';
import { Explanations } from '../related/explain-links.tsx';
import { useObjectsOf } from '../stored/objects-of-actor.ts';
import { ObjectsPanel } from './objects-panel.tsx';
import { type PartnerUser, userSchema } from './partner-objects.ts';

const { partners } = texts;

/** Sessions over each protocol that are counted. */
const countedAtMost = 10_000;

/** The users of a partner: whether they may log in, their open sessions, and their keys when they are asked for. */
export function UsersPanel(props: {
  readonly actor: string;
  /** Undefined as long as they are not known. */
  readonly contracts: readonly ConnectionContract[] | undefined;
}) {
  const { actor, contracts } = props;
  const found = useObjectsOf('users', userSchema, actor);
  const sessions = useSessionCounts(actor);
  const frozen = useFrozenUsers(actor);
  return (
    <ObjectsPanel
      {...{ actor, found }}
      collection="users"
      title={partners.users}
      empty={partners.none.users}
      columns={[
        {
          title: partners.state,
          cell: (user) => (
            <>
              {stateOf(user)}
              {frozen.has(user.name) && <FrozenState reason={frozen.get(user.name) ?? null} />}
            </>
          ),
        },
        { title: partners.sessions, isNumber: true, cell: ({ name }) => sessions?.get(name) ?? (sessions && 0) },
        {
          title: partners.lastLogin,
          cell: ({ lastLoginAt }) => (lastLoginAt === undefined ? partners.noLogin : formatTime(lastLoginAt)),
        },
        { title: partners.keys, cell: ({ name }) => <LoginState userName={name} /> },
        { title: partners.explain, cell: (user) => <Explanations user={user} contracts={contracts} /> },
      ]}
    />
  );
}

/** Whether a user may log in, as far as the settings of the user say. */
function stateOf({ enabled, expires }: PartnerUser): string {
  if (!enabled) return partners.disabled;
  if (expires === undefined || Date.parse(expires) > serverNow()) return partners.enabled;
  return partners.expired(formatTime(expires));
}

/** How many sessions each user of an actor has open over both protocols; undefined if the user of the page may not know. */
function useSessionCounts(actor: string): ReadonlyMap<string, number> | undefined {
  const enabled = usePermissions().may('sessions:read');
  const query = { actor, maxItem: countedAtMost };
  const refreshed = { refetchInterval: refreshEveryMs.live, enabled };
  const overSftp = useQuery({
    queryKey: ['sessions', 'SFTP', actor],
    queryFn: ({ signal }) => callEndpoint(listServerSessionsEndpoint, { query, signal }),
    ...refreshed,
  });
  const overHttp = useQuery({
    queryKey: ['sessions', 'HTTP', actor],
    queryFn: ({ signal }) => callEndpoint(listHttpSessionsEndpoint, { query, signal }),
    ...refreshed,
  });
  if (overSftp.data === undefined || overHttp.data === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const { userName } of [...overSftp.data.sessions, ...overHttp.data.sessions])
    counts.set(userName, (counts.get(userName) ?? 0) + 1);
  return counts;
}

function FrozenState({ reason }: { readonly reason: string | null }) {
  return (
    <>
      <strong className="failure"> {partners.frozenState}</strong> {reason !== null && <OutsideText text={reason} />}
    </>
  );
}

/** The users of an actor who are frozen, with the reasons; none if the user of the page may not know. */
function useFrozenUsers(actor: string): ReadonlyMap<string, string | null> {
  const { data } = useQuery({
    queryKey: ['freeze', 'of actor', actor],
    queryFn: ({ signal }) =>
      callEndpoint(listUserFreezesEndpoint, { query: { actor, maxItem: countedAtMost }, signal }),
    enabled: usePermissions().may('freezes:read'),
  });
  return new Map(data?.freezes.map(({ userName, reason }) => [userName, reason] as const));
}

/** The keys of a user and whether the user is frozen, which are read when they are opened. */
function LoginState({ userName }: { readonly userName: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary aria-label={partners.keysOf(userName)}>{partners.show}</summary>
      {isOpen && <Keys userName={userName} />}
    </details>
  );
}

function Keys({ userName }: { readonly userName: string }) {
  const mayReadFreeze = usePermissions().may('freezes:read');
  const params = { userName };
  const freeze = useQuery({
    queryKey: ['freeze', userName],
    queryFn: ({ signal }) => callEndpoint(findUserFreezeEndpoint, { params, signal }),
    enabled: mayReadFreeze,
  });
  return (
    <>
      {freeze.data?.frozen === true && <p className="failure">{partners.frozen}</p>}
      <UserKeys userName={userName} />
    </>
  );
}
