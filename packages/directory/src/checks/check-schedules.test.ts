import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../parse-configuration.ts';

function configuration(trigger: object, queue: object = { name: 'q' }): unknown {
  return {
    manager: { name: 'manager1' },
    clusters: [{ name: 'c', servers: [{ name: 's', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', roles: ['Administrators'] }],
    queues: [queue],
    workflowTemplates: [{ name: 'w', steps: [{ name: 'one', uses: 'write-file', with: { path: '/a', text: '' } }] }],
    actors: [
      {
        name: 'acme',
        type: 'Partner',
        virtualFileSystems: [{ name: 'files' }],
        contracts: [{ name: 'k', type: 'Output', actions: [{ name: 'a', trigger, vfs: 'files', workflow: 'w' }] }],
      },
    ],
  };
}

function faultsOf(value: unknown): string[] {
  try {
    parseConfiguration(value);
    return [];
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    return error.fields.map(({ field, message }) => `${field.replace(/^actors.*actions\[0\]\./u, '')}: ${message}`);
  }
}

const time = (settings: object) => ({ type: 'Time', cron: '0 6 * * *', ...settings });

describe('a Time trigger', () => {
  it('is of UTC, makes up for the last missed time and has no jitter, unless it says otherwise', () => {
    const { actors } = parseConfiguration(configuration(time({})));
    expect(actors[0]?.contracts[0]?.actions[0]?.trigger).toEqual({
      type: 'Time',
      cron: '0 6 * * *',
      timeZone: 'UTC',
      catchUp: 'last',
      jitterSeconds: 0,
    });
  });

  it.each([
    [{ cron: undefined }, 'trigger.cron: is missing'],
    [{ cron: '' }, 'trigger.cron: must not be empty'],
    [{ cron: 5 }, 'trigger.cron: must be a text'],
    [{ cron: 'daily' }, 'trigger.cron: must have five fields (minute, hour, day of the month, month, day of the week)'],
    [{ cron: '0 0 6 * * *' }, 'trigger.cron: must have five fields'],
    [{ cron: '0 25 * * *' }, 'trigger.cron: has an hour that is not possible'],
    [{ cron: '0 6 * * MONDAY-FRI' }, 'trigger.cron: has a day of the week that is not possible'],
    [{ cron: '0 6 30 2 *' }, 'trigger.cron: never fires'],
    [{ cron: '0 6 31 4,6,9,11 *' }, 'trigger.cron: never fires'],
    [{ cron: '0,'.repeat(100_000) }, 'trigger.cron: must have at most 256 characters'],
    [
      { timeZone: 'Europe/Berln' },
      'trigger.timeZone: must be a time zone of the tz database, such as Europe/Berlin; did you mean Europe/Berlin?',
    ],
    [{ timeZone: '+01:00' }, 'trigger.timeZone: must be a time zone'],
    [{ timeZone: '' }, 'trigger.timeZone: must be a time zone'],
    [{ timeZone: 'x'.repeat(100_000) }, 'trigger.timeZone: must have at most 64 characters'],
    [{ catchUp: 'first' }, 'trigger.catchUp: must be none, last or all'],
    [{ jitterSeconds: -1 }, 'trigger.jitterSeconds: must be at least 0'],
    [{ jitterSeconds: 3_601 }, 'trigger.jitterSeconds: must be at most 3600'],
    [{ jitterSeconds: 0.5 }, 'trigger.jitterSeconds: must be a whole number'],
    [{ vfs: 'files' }, 'trigger.vfs: unknown key vfs'],
  ])('with %j is refused, and the field is named', (settings, expected) => {
    expect(faultsOf(configuration(time(settings))).join('\n')).toContain(expected);
  });

  it.each([
    '* * * * *',
    '*/5 8-18 * * MON-FRI',
    '0 6 29 2 *',
    '0 6 L * *',
    '0 6 * * 5L',
    '0 6 * * TUE#2',
    '0 6 15W * *',
    '0 6 * JAN,JUL SUN',
  ])('may be %s', (cron) => {
    expect(faultsOf(configuration(time({ cron })))).toEqual([]);
  });

  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Australia/Lord_Howe', 'Asia/Calcutta'])(
    'may be of the zone %s',
    (timeZone) => {
      expect(faultsOf(configuration(time({ timeZone })))).toEqual([]);
    },
  );
});

describe('a Scheduled queue', () => {
  const scheduled = (slot: object) => ({
    name: 'q',
    status: 'Scheduled',
    slots: [{ from: '08:00', to: '18:00', ...slot }],
  });
  const faultsOfQueue = (queue: object) => faultsOf(configuration({ type: 'OnDemand' }, queue)).join('\n');

  it.each([
    [{ name: 'q', status: 'Scheduled' }, 'queues[0].slots: are missing'],
    [{ name: 'q', status: 'Scheduled', slots: [] }, 'queues[0].slots: must have at least one entry'],
    [
      { name: 'q', slots: [{ from: '08:00', to: '18:00' }] },
      'queues[0].slots: belong to a queue with the status Scheduled',
    ],
    [{ ...scheduled({}), status: 'Disabled' }, 'queues[0].slots: belong to a queue with the status Scheduled'],
    [
      { ...scheduled({}), slots: Array.from({ length: 101 }, () => ({ from: '08:00', to: '18:00' })) },
      'queues[0].slots: must have at most 100 entries',
    ],
    [scheduled({ from: '8:00' }), 'queues[0].slots[0].from: must be a time from 00:00 to 23:59'],
    [scheduled({ from: '24:00' }), 'queues[0].slots[0].from: must be a time from 00:00 to 23:59'],
    [scheduled({ to: '24:01' }), 'queues[0].slots[0].to: must be a time from 00:00 to 24:00'],
    [scheduled({ to: '08:00' }), 'queues[0].slots[0].to: must differ from `from`'],
    [scheduled({ days: [] }), 'queues[0].slots[0].days: must have at least one entry'],
    [scheduled({ days: ['Mo'] }), 'queues[0].slots[0].days[0]: must be Monday, Tuesday,'],
    [scheduled({ timeZone: 'CEST' }), 'queues[0].slots[0].timeZone: must be a time zone'],
  ])('%j is refused, and the field is named', (queue, expected) => {
    expect(faultsOfQueue(queue)).toContain(expected);
  });

  it.each([
    {},
    { from: '22:00', to: '06:00' },
    { from: '00:00', to: '24:00' },
    { days: ['Sunday'], timeZone: 'Asia/Tokyo' },
  ])('may have the slot %j', (slot) => {
    expect(faultsOfQueue(scheduled(slot))).toBe('');
  });
});
