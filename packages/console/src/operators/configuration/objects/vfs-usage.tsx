import { useQuery } from '@tanstack/react-query';
import { readVfsUsageEndpoint, type VfsUsageView } from '@waybill/contracts/endpoints/administration/read-vfs-usage';
import { formatBytes } from '../../../page-kit/format/format-bytes.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { isOld, unlessRefused } from '../../api/refusals.ts';
import { RequestFailure } from '../../api/request-failure.ts';
import { texts } from '../../texts/texts.ts';

const { partners } = texts;

/** The platform counts at most this often. */
const refreshEveryMs = 10_000;

/** From here on, uploads may soon be refused. */
const nearlyFull = 0.9;

const kinds = ['bytes', 'files', 'folders'] as const;

/** What a virtual file system holds, against its limits. */
export function VfsUsage({ name }: { readonly name: string }) {
  const { data, error } = useQuery({
    queryKey: ['usage', name],
    queryFn: ({ signal }) => callEndpoint(readVfsUsageEndpoint, { params: { name }, signal }),
    refetchInterval: unlessRefused(refreshEveryMs),
    // Another operator may have deleted it.
    retry: (count, failure) => !(failure instanceof RequestFailure) && count < 3,
  });
  if (error !== null && !isOld(error, data !== undefined)) return <span className="failure">{error.message}</span>;
  if (data === undefined) return <>{texts.loading}</>;
  return (
    <ul className="plain">
      {kinds.map((kind) => (
        <Amount key={kind} kind={kind} {...data[kind]} />
      ))}
    </ul>
  );
}

function Amount({ kind, used, limit }: VfsUsageView['bytes'] & { readonly kind: (typeof kinds)[number] }) {
  const format = kind === 'bytes' ? formatBytes : partners.amount(kind);
  const isFull = used !== null && limit !== null && used >= limit * nearlyFull;
  return (
    <li className={isFull ? 'failure' : ''}>
      {used === null
        ? partners.notCounted(kind)
        : partners.usedOf(format(used), limit === null ? undefined : format(limit))}
    </li>
  );
}
