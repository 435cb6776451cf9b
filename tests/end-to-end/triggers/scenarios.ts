import { randomUUID } from 'node:crypto';
import type { PartnerClient } from './partner-client.ts';
import type { FileTriggerName } from './platform-configuration.ts';

/** Something that a partner does with a file of this name, and how many events of each trigger it is. */
export interface Scenario {
  readonly name: string;
  readonly run: (partner: PartnerClient, file: string) => Promise<unknown>;
  /** Triggers that are not named have no event. */
  readonly events: Partial<Record<FileTriggerName, number>>;
}

const delivery = { NewFile: 1, IncomingTransfer: 1 } as const;
const nothing = {} as const;
const big = 'x'.repeat(64 * 1024 * 1024);

const put = (partner: PartnerClient, path: string, content = 'a;b') => partner.sftp(`put {${content}} ${path}`);

/** How files arrive, and what is no arrival. */
export const arrivals: readonly Scenario[] = [
  { name: 'an SFTP put', run: (partner, file) => put(partner, `/watched/${file}.csv`), events: delivery },
  { name: 'an HTTP PUT', run: (partner, file) => partner.httpPut(`/watched/${file}.csv`, 'a;b'), events: delivery },
  {
    name: 'an HTTP form',
    run: (partner, file) => partner.httpForm('/watched', `${file}.csv`, 'a;b'),
    events: delivery,
  },
  { name: 'an empty file', run: (partner, file) => put(partner, `/watched/${file}.csv`, ''), events: delivery },
  {
    name: 'a file that is overwritten: each version',
    run: async (partner, file) => {
      await put(partner, `/watched/${file}.csv`, 'one');
      await partner.httpPut(`/watched/${file}.csv`, 'two');
    },
    events: { NewFile: 2, IncomingTransfer: 2 },
  },
  {
    name: 'an HTTP PUT that is repeated with its idempotency key',
    run: async (partner, file) => {
      const key = { 'idempotency-key': randomUUID() };
      await partner.httpPut(`/watched/${file}.csv`, 'a;b', key);
      await partner.httpPut(`/watched/${file}.csv`, 'a;b', key);
    },
    events: delivery,
  },
  {
    name: 'an SFTP put that is broken off',
    run: (partner, file) => partner.breakOffSftpPut(`/watched/${file}.csv`),
    events: nothing,
  },
  {
    name: 'an SFTP put that is broken off and resumed in another session: once',
    run: async (partner, file) => {
      await partner.breakOffSftpPut(`/watched/${file}.csv`);
      await partner.sftp(`reput {xyz} /watched/${file}.csv`);
    },
    events: delivery,
  },
  {
    name: 'an HTTP PUT that is broken off',
    run: (partner, file) => partner.breakOffHttpPut(`/watched/${file}.csv`),
    events: nothing,
  },
  {
    name: 'a delivered file that is renamed into the folder',
    run: (partner, file) =>
      partner.sftp(`put {a} /elsewhere/${file}.csv`, `rename /elsewhere/${file}.csv /watched/${file}.csv`),
    events: nothing,
  },
];

/** Names and folders that match or do not. */
export const places: readonly Scenario[] = [
  { name: 'another suffix', run: (partner, file) => put(partner, `/watched/${file}.txt`), events: nothing },
  { name: 'another case', run: (partner, file) => put(partner, `/watched/${file}.CSV`), events: nothing },
  { name: 'a subfolder', run: (partner, file) => put(partner, `/watched/sub/${file}.csv`), events: nothing },
  {
    name: 'a folder that matches *',
    run: (partner, file) => put(partner, `/by/partner/in/${file}.csv`),
    events: delivery,
  },
  { name: 'one that does not', run: (partner, file) => put(partner, `/by/partner/out/${file}.csv`), events: nothing },
  { name: '** for no folder', run: (partner, file) => put(partner, `/deep/${file}.csv`), events: delivery },
  { name: '** for two', run: (partner, file) => partner.httpPut(`/deep/a/b/${file}.csv`, 'a'), events: delivery },
];

const temporaryNames = ['.part', '.filepart', '.partial', '.tmp'];

/** Temporary names, for every trigger, and the rename to the final name. */
export const temporary: readonly Scenario[] = [
  ...temporaryNames.flatMap((suffix): Scenario[] => [
    {
      name: `everything under a name with ${suffix}`,
      run: async (partner, file) => {
        const path = `/watched/${file}.csv${suffix}`;
        await put(partner, path);
        await partner.setMetadata(path, { A: '1' });
        await partner.httpGet(path);
        await partner.httpPut(path, 'again');
      },
      events: nothing,
    },
    {
      name: `an SFTP put of ${suffix} that is renamed`,
      run: (partner, file) =>
        partner.sftp(
          `put {a} /watched/${file}.csv${suffix}`,
          `rename /watched/${file}.csv${suffix} /watched/${file}.csv`,
        ),
      events: delivery,
    },
  ]),
  {
    name: 'an HTTP PUT of .part that is moved from another folder',
    run: async (partner, file) => {
      await partner.httpPut(`/elsewhere/${file}.csv.part`, 'a');
      await partner.httpMove(`/elsewhere/${file}.csv.part`, `/watched/${file}.csv`);
    },
    events: delivery,
  },
];

/** How files leave, and what changes their metadata. */
export const departures: readonly Scenario[] = [
  {
    name: 'an SFTP get',
    run: (partner, file) => partner.sftp(`put {a} /watched/${file}.csv`, `get /watched/${file}.csv /dev/null`),
    events: { ...delivery, OutgoingTransfer: 1 },
  },
  {
    name: 'an HTTP GET, and another one: each',
    run: async (partner, file) => {
      await put(partner, `/watched/${file}.csv`);
      await partner.httpGet(`/watched/${file}.csv`);
      await partner.httpGet(`/watched/${file}.csv`);
    },
    events: { ...delivery, OutgoingTransfer: 2 },
  },
  {
    name: 'an HTTP GET in two ranges: once',
    run: async (partner, file) => {
      await put(partner, `/watched/${file}.csv`, 'abcdef');
      await partner.httpGet(`/watched/${file}.csv`, { range: 'bytes=0-2' });
      await partner.httpGet(`/watched/${file}.csv`, { range: 'bytes=3-5' });
    },
    events: { ...delivery, OutgoingTransfer: 1 },
  },
  {
    name: 'an HTTP GET that is broken off',
    run: async (partner, file) => {
      await partner.httpPut(`/watched/${file}.csv`, big);
      await partner.breakOffHttpGet(`/watched/${file}.csv`);
    },
    events: delivery,
  },
  {
    name: 'metadata, twice: each request',
    run: async (partner, file) => {
      await put(partner, `/watched/${file}.csv`);
      await partner.setMetadata(`/watched/${file}.csv`, { A: '1' });
      await partner.setMetadata(`/watched/${file}.csv`, { A: '2' });
    },
    events: { ...delivery, IncomingUpdateMetadata: 2 },
  },
  {
    name: 'a mode set over SFTP, which clients do unasked',
    run: (partner, file) => partner.sftp(`put {a} /watched/${file}.csv`, `chmod 600 /watched/${file}.csv`),
    events: delivery,
  },
];
