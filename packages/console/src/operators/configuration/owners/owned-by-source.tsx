import { useQuery } from '@tanstack/react-query';
import { readDriftEndpoint } from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { Link } from 'react-aria-components';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { texts } from '../../texts/texts.ts';
import type { OwnedObject } from './owner-requests.ts';

const { configuration } = texts;

/** What belonging to a source means, with its file, and how the object differs from what the source has applied. */
export function OwnedBySource({ resource, address, source }: OwnedObject & { readonly source: string }) {
  const { mayForAll } = usePermissions();
  const { data } = useQuery({
    queryKey: ['configuration', 'drift', source],
    queryFn: ({ signal }) => callEndpoint(readDriftEndpoint, { query: { source }, signal }),
    enabled: mayForAll('identities:read'),
  });
  const applied = data?.sources.find((one) => one.source === source);
  const drifted = applied?.objects.find(
    ({ entityType, name, actor }) =>
      entityType === resource.entityType &&
      name === address.name &&
      (address.actor === undefined || actor === undefined || actor === address.actor),
  );
  return (
    <>
      <p className="quiet">
        {configuration.ownedBySource}
        {typeof applied?.file === 'string' && (
          <>
            {' '}
            {configuration.file}: <OutsideText text={applied.file} />
          </>
        )}
      </p>
      {drifted !== undefined && (
        <p role="note">
          <Link href="/configuration-drift">{configuration.driftCause[drifted.cause]}</Link>{' '}
          <OutsideText text={configuration.by(drifted.changedBy, formatTime(drifted.changedAt), drifted.reason)} />
        </p>
      )}
    </>
  );
}
