import { account } from './operators/account.ts';
import { approvals } from './operators/approvals.ts';
import { audit } from './operators/audit.ts';
import { charts } from './operators/charts.ts';
import { configuration } from './operators/configuration.ts';
import { expectations } from './operators/expectations.ts';
import { health } from './operators/health.ts';
import { jobs } from './operators/jobs.ts';
import { now } from './operators/now.ts';
import { partners } from './operators/partners.ts';
import { secrets } from './operators/secrets.ts';
import { shell } from './operators/shell.ts';
import { story } from './operators/story.ts';
import { transfers } from './operators/transfers.ts';
import { uploads } from './operators/uploads.ts';
import { webhooks } from './operators/webhooks.ts';
import { pageKitTexts } from './page-kit-texts.ts';

/** Every text that the console shows, in English: those around the pages, and those of each page by its name. */
export const texts = {
  ...pageKitTexts,
  ...shell,
  account,
  approvals,
  audit,
  charts,
  configuration,
  expectations,
  health,
  jobs,
  now,
  partners,
  secrets,
  story,
  transfers,
  uploads,
  webhooks,
} as const;
