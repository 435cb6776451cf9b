import { useQuery } from '@tanstack/react-query';
import { findElement, isFolder } from '../api/elements.ts';

/** How often it is looked whether something is still there: as often as a list is read. */
const refreshEveryMs = 5_000;

/** How often it is asked again: not once it was refused, which is audited. */
function refetchInterval({ state }: { readonly state: { readonly status: string } }): number | false {
  return state.status === 'error' ? false : refreshEveryMs;
}

/** A file as the listing of its folder shows it, which follows what others do; null once it is not there. */
export function useListedFile(path: string, isAsked: boolean) {
  return useQuery({
    queryKey: ['listed', path],
    // A query has no result that is undefined.
    queryFn: async ({ signal }) => (await findElement(path, signal)) ?? null,
    enabled: isAsked,
    refetchInterval,
  });
}

/** Whether there is no such folder any more; false as long as it is not known. */
export function useIsFolderGone(path: string, isAsked: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['is folder', path],
    queryFn: ({ signal }) => isFolder(path, signal),
    enabled: isAsked,
    refetchInterval,
  });
  return data === false;
}
