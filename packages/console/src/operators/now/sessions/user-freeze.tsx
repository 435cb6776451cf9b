import { useQuery } from '@tanstack/react-query';
import { findUserFreezeEndpoint } from '@waybill/contracts/endpoints/users/find-user-freeze';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { useFilters } from '../../address/use-filters.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { Failure } from '../../frame/page-frame.tsx';
import { FilterText } from '../../lists/filter-fields.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { FreezeButton, ThawButton } from './freeze-button.tsx';

const { now } = texts;

const names = ['user'] as const;

/** Whether a user is frozen, and what freezes or thaws the user. The name is in the address of the page. */
export function UserFreeze() {
  const [{ user = '' }, change] = useFilters(names);
  return (
    <div className="filters">
      <FilterText label={now.frozenQuestion} value={user} onChange={(name) => change({ user: name })} />
      {user !== '' && <FreezeState userName={user} />}
    </div>
  );
}

/** Whether a user is frozen, why, and what changes that. */
export function FreezeState({ userName }: { readonly userName: string }) {
  const mayChange = usePermissions().may('freezes:write');
  const { data, error } = useQuery({
    queryKey: ['freeze', userName],
    queryFn: ({ signal }) => callEndpoint(findUserFreezeEndpoint, { params: { userName }, signal }),
    refetchInterval: unlessRefused(refreshEveryMs.live),
  });
  if (data === undefined) return <Failure error={error} />;
  const { frozen, frozenAt, frozenBy, reason } = data;
  const FreezeOrThaw = frozen ? ThawButton : FreezeButton;
  return (
    <>
      <span role="status">
        {frozen
          ? now.frozenBy(userName, frozenBy ?? '', formatTime(frozenAt ?? ''), reason ?? '')
          : now.notFrozen(userName)}
      </span>
      {mayChange && <FreezeOrThaw userName={userName} />}
    </>
  );
}
