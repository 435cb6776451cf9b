import { useQuery } from '@tanstack/react-query';
import type { FolderSpace } from '@waybill/contracts/endpoints/files/elements/read-space';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure } from '../../page-kit/components/failure.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { readSpace } from '../api/file-details.ts';
import { usePermissions } from '../api/use-permissions.ts';
import { texts } from '../texts.ts';
import { useIsFolderGone } from './use-listed.ts';

/** What the user may do in a folder, its limits, and how long its files are kept. */
export function FolderDetails({ path }: { readonly path: string }) {
  const permissions = usePermissions(path);
  const isGone = useIsFolderGone(path, permissions.has('list'));
  if (isGone) return <Failure>{texts.folderGone}</Failure>;
  return (
    <>
      <Facts
        facts={[
          [texts.fullPath, path],
          [texts.permissions, [...permissions].map((permission) => texts.permissionNames[permission]).join(', ')],
        ]}
      />
      <Space path={path} />
    </>
  );
}

const hourMs = 3_600_000;

/** The limits and the retention of the place where a path is; of a file, also when it will be deleted. */
export function Space({ path, storedAt }: { readonly path: string; readonly storedAt?: string | undefined }) {
  const { data, error } = useQuery({
    queryKey: ['space', path],
    queryFn: ({ signal }) => readSpace(path, signal),
    staleTime: 10_000,
  });
  return (
    <>
      <h3>{texts.limitsAndRetention}</h3>
      {error !== null && <Failure>{error.message}</Failure>}
      {data !== undefined && <Facts facts={factsOf(data, storedAt)} />}
    </>
  );
}

function factsOf({ bytes, entries, retention }: FolderSpace, storedAt: string | undefined): [string, string][] {
  const { hoursAfterPut, hoursAfterGet } = retention;
  const rules = [
    hoursAfterPut === undefined ? [] : texts.keptAfterPut(hoursAfterPut),
    hoursAfterGet === undefined ? [] : texts.keptAfterGet(hoursAfterGet),
  ].flat();
  return [
    [texts.room, roomOf(bytes, formatBytes)],
    [texts.roomForFiles, roomOf(entries, String)],
    [texts.retention, rules.length === 0 ? texts.keptForever : rules.join(' ')],
    [texts.deletedAt, hoursAfterPut === undefined ? '' : formatTime(endOf(storedAt, hoursAfterPut))],
  ];
}

function endOf(storedAt: string | undefined, hours: number): string | undefined {
  if (storedAt === undefined || storedAt === '') return undefined;
  return new Date(Date.parse(storedAt) + hours * hourMs).toISOString();
}

function roomOf(room: FolderSpace['bytes'], format: (count: number) => string): string {
  if (room === undefined) return texts.noLimit;
  const { total, free } = room;
  return free === undefined ? texts.atMost(format(total)) : texts.roomOf(format(free), format(total));
}
