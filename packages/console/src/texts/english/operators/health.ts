import { number, plural } from '../../numbers.ts';

/** The texts of the health of the platform, in English. */
export const health = {
  title: 'Health of the platform',
  part: 'Part',
  state: 'State',
  since: 'Since',
  details: 'Details',
  answeredBy: (node: string, time: string) => `As seen by the job manager ${node} at ${time}`,
  states: { up: 'Up', degraded: 'Needs attention', down: 'Down', unknown: 'Unknown' },
  services: 'Services',
  process: (service: string, node: string) => `${service} on ${node}`,
  silent: (seconds: number) => `No report for ${number(seconds)} s`,
  failing: (check: string) => `Check failed: ${check}`,
  database: 'PostgreSQL',
  databaseRole: {
    primary: (version: string) => `${version}, primary`,
    standby: (version: string) => `${version}, standby`,
  },
  replicas: (count: number) => plural(count, { one: '1 standby', other: `${number(count)} standbys` }),
  openConnections: (open: number, most: number) => `${open} of ${most} connections`,
  oldestTransaction: (seconds: number) => `Oldest transaction: ${number(seconds)} s`,
  redis: 'Redis',
  memoryOf: (used: string, limit: string) => `${used} of ${limit}`,
  persistence: { 'append-only': 'Append-only file', snapshots: 'Snapshots', none: 'No persistence' },
  store: (name: string) => `Storage class ${name}`,
  storeType: { local: 'Disk', s3: 'S3' },
  space: (free: string, total: string) => `${free} of ${total} free`,
  connections: 'Client connections',
  connectionCounts: (counts: Readonly<Record<'working' | 'failing' | 'suspended' | 'unused', number>>) =>
    `${counts.working} working, ${counts.failing} failing, ${counts.suspended} suspended, ${counts.unused} unused`,
  audit: 'Audit log',
  waiting: (count: number, seconds: number) => {
    if (count === 0) return 'Everything is recorded';
    return plural(count, {
      one: `1 event waits, for ${number(seconds)} s`,
      other: `${number(count)} events wait, the oldest for ${number(seconds)} s`,
    });
  },
  signed: (records: number) => `${number(records)} records under the last checkpoint`,
  signedAt: (time: string) => `Signed ${time}`,
  noAnchor: 'No anchor is configured',
  witness: (name: string) => `Witness ${name}`,
  anchor: (name: string) => `Anchor ${name}`,
  anchored: (records: number, seconds: number) =>
    seconds === 0
      ? `${number(records)} records, nothing missing`
      : `${number(records)} records, ${number(seconds)} s behind`,
} as const;
