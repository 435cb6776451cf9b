import { useQuery } from '@tanstack/react-query';
import type { SecondFactorApi } from './second-factor-api.ts';

/** Where the query cache has the user's own second factor. */
export const ownSecondFactorKey = ['own second factor'];

/** What was set up, renewed or removed elsewhere is seen within two seconds. */
const refreshEveryMs = 1_500;

/** The user's own second factor; `isFixed`: it is not read again now. */
export function useOwnSecondFactor(api: Pick<SecondFactorApi, 'find'>, isFixed = false) {
  return useQuery({
    queryKey: ownSecondFactorKey,
    queryFn: ({ signal }) => api.find(signal),
    refetchInterval: !isFixed && refreshEveryMs,
  });
}
