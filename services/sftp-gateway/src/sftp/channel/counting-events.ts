import type { GatewayEvents } from '../../events.ts';
import type { ActivityMeter } from '../transfers/activity-meter.ts';

/** The same events, with transferred bytes also counted for one session. */
export function countingEvents(events: GatewayEvents, meter: ActivityMeter): GatewayEvents {
  return {
    ...events,
    bytesReceived: (count) => {
      meter.received(count);
      events.bytesReceived(count);
    },
    bytesSent: (count) => {
      meter.sent(count);
      events.bytesSent(count);
    },
  };
}
