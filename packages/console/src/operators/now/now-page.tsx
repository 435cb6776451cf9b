import { useQuery } from '@tanstack/react-query';
import { Children, lazy, type ReactNode, useEffect, useState } from 'react';
import { LazyPart } from '../../page-kit/components/failure.tsx';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { ActivityCharts } from './activity/activity-charts.tsx';
import { AuditState } from './activity/audit-state.tsx';
import { ConnectionList } from './health/connection-list.tsx';
import { PlatformHealth } from './health/platform-health.tsx';
import { ExpectationList } from './jobs/expectation-list.tsx';
import { LastDay } from './jobs/last-day.tsx';
import { QueueList, queuesQuery } from './jobs/queue-list.tsx';
import { BanList } from './sessions/ban-list.tsx';
import { FreezeList } from './sessions/freeze-list.tsx';
import { HttpSessionList } from './sessions/http-session-list.tsx';
import { SessionList } from './sessions/session-list.tsx';
import { TransferList } from './sessions/transfer-list.tsx';

/** It knows the kinds of objects with their schemas. */
const FirstPartner = lazy(async () => ({ default: (await import('./first-partner.tsx')).FirstPartner }));

/** How long the panels below wait for the queues, in milliseconds. */
const waitsAtMostMs = 1_000;

/** What happens now, as far as the user's roles allow to see it. */
export function NowPage() {
  const { mayForAll } = usePermissions();
  const maySeeQueues = mayForAll('queues:read');
  const areQueuesDone = useAreQueuesDone(maySeeQueues);
  const [isShown, setShown] = useState(false);
  return (
    <PageFrame title={texts.now.title}>
      {isShown && mayForAll('configuration:read') && mayForAll('configuration:write') && (
        <LazyPart isOptional>
          <FirstPartner />
        </LazyPart>
      )}
      <div className="panels">
        {mayForAll('health:read') && <PlatformHealth />}
        {maySeeQueues && <QueueList />}
        {/* On a slow machine, what is seen first can be used before the rest is there. */}
        {areQueuesDone && <PanelsBelow onShown={setShown} />}
      </div>
    </PageFrame>
  );
}

/** Whether it is the turn of what follows the queues: they have been read once, or have failed, or take long. */
function useAreQueuesDone(maySeeQueues: boolean): boolean {
  const { isPending } = useQuery({ ...queuesQuery, enabled: maySeeQueues });
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), waitsAtMostMs);
    return () => clearTimeout(timer);
  }, []);
  return !maySeeQueues || !isPending || isLate;
}

function PanelsBelow({ onShown }: Pick<OneByOneProps, 'onShown'>) {
  const { may, mayForAll } = usePermissions();
  return (
    <OneByOne onShown={onShown}>
      {may('sessions:read') && <TransferList />}
      {may('sessions:read') && <SessionList />}
      {may('sessions:read') && <HttpSessionList />}
      {may('freezes:read') && <FreezeList />}
      {mayForAll('bans:read') && <BanList />}
      {mayForAll('jobs:read') && <LastDay />}
      {may('expectations:read') && <ExpectationList />}
      {(mayForAll('audit:read') || may('activity:read') || mayForAll('jobs:read')) && <ActivityCharts />}
      {may('configuration:read') && <ConnectionList />}
      {mayForAll('audit:read') && <AuditState />}
    </OneByOne>
  );
}

interface OneByOneProps {
  readonly children: ReactNode;
  /** Is called with true once all are there. */
  readonly onShown: (isShown: true) => void;
}

/** Shows its children one after the other, each when the one before has been painted: the page answers meanwhile. */
function OneByOne({ children, onShown }: OneByOneProps) {
  const all = Children.toArray(children);
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (shown >= all.length) {
      onShown(true);
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setShown(shown + 1));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [shown, all.length, onShown]);
  return all.slice(0, shown);
}
