import { listStuckEvents, retryStuckEvents, type StuckEvent } from '@waybill/outbox/stuck-events';
import { changedBy } from '../../changed-by.ts';
import type { Command } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { flagOption, jsonOption } from '../../platform/option-values.ts';

/** The number of events that are listed. */
const listedAtMost = 1_000;

/** Shows the events that could not be stored or handled, and puts them back. */
export const stuckEventsCommand: Command = {
  summary: 'Shows the events that were set aside, because they could not be stored or handled in 20 attempts.',
  examples: ['waybill audit stuck', 'waybill audit stuck --retry'],
  options: { retry: flagOption('Puts the events back, to be tried again.'), json: jsonOption },
  run: async (invocation) => {
    const { values, out } = invocation;
    await withPreparedDatabase(invocation, async (db) => {
      const stuck = await listStuckEvents(db, listedAtMost);
      for (const event of stuck) out(values['json'] === true ? JSON.stringify(event) : describeEvent(event));
      const retried = values['retry'] === true ? await retryStuckEvents(db, changedBy(invocation.env)) : undefined;
      if (values['json'] === true) return;
      if (retried !== undefined) out(`${retried} events will be tried again.`);
      else if (stuck.length === 0) out('No events are stuck.');
      else if (stuck.length === listedAtMost) out(`These are the first ${listedAtMost}.`);
    });
  },
};

function describeEvent({ id, topic, tries, lastError, since }: StuckEvent): string {
  return `${id}  ${topic}  since ${since.toISOString()}  ${tries} tries: ${lastError.replaceAll(/\s+/gu, ' ')}`;
}
