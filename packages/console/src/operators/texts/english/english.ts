import { audit } from './audit.ts';
import { configuration } from './configuration.ts';
import { jobs } from './jobs.ts';
import { now } from './now.ts';
import { shell } from './shell.ts';
import { story } from './story.ts';

/** Every text that the console shows, in English: those around the pages, and those of each page by its name. */
export const english = { ...shell, audit, configuration, jobs, now, story } as const;
