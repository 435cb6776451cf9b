import { account } from './account.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { charts } from './charts.ts';
import { configuration } from './configuration.ts';
import { health } from './health.ts';
import { jobs } from './jobs.ts';
import { now } from './now.ts';
import { partners } from './partners.ts';
import { secrets } from './secrets.ts';
import { shell } from './shell.ts';
import { story } from './story.ts';
import { transfers } from './transfers.ts';
import { webhooks } from './webhooks.ts';

/** Every text that the console shows, in English: those around the pages, and those of each page by its name. */
export const english = {
  ...shell,
  account,
  approvals,
  audit,
  charts,
  configuration,
  health,
  jobs,
  now,
  partners,
  secrets,
  story,
  transfers,
  webhooks,
} as const;
