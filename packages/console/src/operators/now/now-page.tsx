import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { ActivityCharts } from './activity/activity-charts.tsx';
import { AuditState } from './activity/audit-state.tsx';
import { ConnectionList } from './health/connection-list.tsx';
import { ServiceList } from './health/service-list.tsx';
import { ExpectationList } from './jobs/expectation-list.tsx';
import { LastDay } from './jobs/last-day.tsx';
import { QueueList } from './jobs/queue-list.tsx';
import { SessionList } from './sessions/session-list.tsx';

/** What happens now, as far as the user's roles allow to see it. */
export function NowPage() {
  const { may, mayForAll } = usePermissions();
  return (
    <PageFrame title={texts.now.title}>
      <div className="panels">
        {mayForAll('queues:read') && <QueueList />}
        {mayForAll('sessions:read') && <SessionList />}
        {mayForAll('jobs:read') && <LastDay />}
        {may('expectations:read') && <ExpectationList />}
        {mayForAll('audit:read') && <ActivityCharts />}
        {may('configuration:read') && <ConnectionList />}
        {mayForAll('audit:read') && <AuditState />}
        <ServiceList />
      </div>
    </PageFrame>
  );
}
