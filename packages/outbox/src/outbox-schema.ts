import type { OwnedSchema } from '@waybill/postgres/migrate';
import { events } from './migrations/0001-events.ts';
import { calmWakings } from './migrations/0002-calm-wakings.ts';
import { steadyPlans } from './migrations/0003-steady-plans.ts';
import { listenedSubjects } from './migrations/0004-listened-subjects.ts';

/** The schema of events between services. */
export const outboxSchema: OwnedSchema = {
  schema: 'outbox',
  migrations: [events, calmWakings, steadyPlans, listenedSubjects],
};
