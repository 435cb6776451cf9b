/** The texts of the health of the platform, in English. */
export const health = {
  title: 'Health of the platform',
  part: 'Part',
  state: 'State',
  since: 'Since',
  details: 'Details',
  answeredBy: (node: string) => `As seen by the job manager ${node}`,
  states: { up: 'Up', degraded: 'Needs attention', down: 'Down', unknown: 'Unknown' },
  services: 'Services',
  process: (service: string, node: string) => `${service} on ${node}`,
  silent: (seconds: number) => `No report for ${seconds.toLocaleString('en')} s`,
  failing: (check: string) => `Check failed: ${check}`,
  database: 'PostgreSQL',
  databaseRole: {
    primary: (version: string) => `${version}, primary`,
    standby: (version: string) => `${version}, standby`,
  },
  replicas: (count: number) => (count === 1 ? '1 standby' : `${count} standbys`),
  openConnections: (open: number, most: number) => `${open} of ${most} connections`,
  oldestTransaction: (seconds: number) => `Oldest transaction: ${seconds.toLocaleString('en')} s`,
  redis: 'Redis',
  memoryOf: (used: string, limit: string) => `${used} of ${limit}`,
  persistence: { 'append-only': 'Append-only file', snapshots: 'Snapshots', none: 'No persistence' },
  store: (name: string) => `Storage class ${name}`,
  storeType: { local: 'Disk', s3: 'S3' },
  space: (free: string, total: string) => `${free} of ${total} free`,
  connections: 'Client connections',
  connectionCounts: (working: number, failing: number, suspended: number) =>
    `${working} working, ${failing} failing, ${suspended} suspended`,
  audit: 'Audit log',
  waiting: (count: number, seconds: number) => {
    if (count === 0) return 'Everything is recorded';
    if (count === 1) return `1 event waits, for ${seconds.toLocaleString('en')} s`;
    return `${count.toLocaleString('en')} events wait, the oldest for ${seconds.toLocaleString('en')} s`;
  },
  signed: (records: number) => `${records.toLocaleString('en')} records under the last checkpoint`,
  witness: (name: string) => `Witness ${name}`,
  anchor: (name: string) => `Anchor ${name}`,
  anchored: (records: number, seconds: number) =>
    seconds === 0
      ? `${records.toLocaleString('en')} records, nothing missing`
      : `${records.toLocaleString('en')} records, ${seconds.toLocaleString('en')} s behind`,
} as const;
