import { useQuery } from '@tanstack/react-query';
import {
  type ConfigurationDrift,
  readDriftEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import { Panel } from '../../frame/panel.tsx';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { texts } from '../../texts/texts.ts';
import { Differences } from '../changes/differences.tsx';

const { configuration } = texts;

/** Where the state differs from what sources have applied. */
export function DriftPage() {
  const { data, error } = useQuery({
    queryKey: ['configuration', 'drift'],
    queryFn: ({ signal }) => callEndpoint(readDriftEndpoint, { signal }),
    refetchInterval: useConfigurationRefresh(),
  });
  const drifted = data?.sources.filter(({ objects }) => objects.length > 0);
  return (
    <PageFrame title={configuration.drift}>
      <Failure error={error} isRead={data !== undefined} />
      {drifted?.length === 0 && <p role="status">{configuration.noDrift}</p>}
      {drifted?.map((source) => (
        <SourceDrift key={source.source} {...source} />
      ))}
    </PageFrame>
  );
}

function SourceDrift({ source, objects }: ConfigurationDrift['sources'][number]) {
  return (
    <Panel title={configuration.ownerOf(source)}>
      {objects.map(({ cause, entityType, name, actor, differences, reason, changedBy, changedAt }) => {
        const title = [entityType, name, actor].filter((part) => part !== undefined).join(' · ');
        return (
          <section key={title} aria-label={title}>
            <h3>
              <span className="badge">{configuration.driftCause[cause]}</span> <OutsideText text={title} />
            </h3>
            <p>{configuration.by(changedBy, formatTime(changedAt), reason)}</p>
            <Differences label={`${configuration.differences}: ${title}`} differences={differences} />
          </section>
        );
      })}
    </Panel>
  );
}
