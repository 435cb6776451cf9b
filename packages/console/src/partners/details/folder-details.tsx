import { useQuery } from '@tanstack/react-query';
import type { FolderSpace } from '@waybill/contracts/endpoints/files/elements/read-space';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure } from '../../page-kit/components/failure.tsx';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { messages } from '../../page-kit/messages/messages.ts';
import { readSpace } from '../api/file-details.ts';
import { usePermissions } from '../api/use-permissions.ts';

/** What the user may do in a folder, its limits, and how long its files are kept. */
export function FolderDetails({ path }: { readonly path: string }) {
  const permissions = usePermissions(path);
  return (
    <>
      <Facts
        facts={[
          [messages.fullPath, path],
          [messages.permissions, [...permissions].map((permission) => messages.permissionNames[permission]).join(', ')],
        ]}
      />
      <Space path={path} />
    </>
  );
}

/** The limits and the retention of the place where a path is. */
export function Space({ path }: { readonly path: string }) {
  const { data, error } = useQuery({
    queryKey: ['space', path],
    queryFn: ({ signal }) => readSpace(path, signal),
    staleTime: 10_000,
  });
  return (
    <>
      <h3>{messages.limitsAndRetention}</h3>
      {error !== null && <Failure>{error.message}</Failure>}
      {data !== undefined && <Facts facts={factsOf(data)} />}
    </>
  );
}

function factsOf({ bytes, entries, retention }: FolderSpace): [string, string][] {
  const { hoursAfterPut, hoursAfterGet } = retention;
  const rules = [
    hoursAfterPut === undefined ? [] : messages.keptAfterPut(hoursAfterPut),
    hoursAfterGet === undefined ? [] : messages.keptAfterGet(hoursAfterGet),
  ].flat();
  return [
    [messages.room, roomOf(bytes, formatBytes)],
    [messages.roomForFiles, roomOf(entries, String)],
    [messages.retention, rules.length === 0 ? messages.keptForever : rules.join(' ')],
  ];
}

function roomOf(room: FolderSpace['bytes'], format: (count: number) => string): string {
  if (room === undefined) return messages.noLimit;
  const { total, free } = room;
  return free === undefined ? messages.atMost(format(total)) : messages.roomOf(format(free), format(total));
}
