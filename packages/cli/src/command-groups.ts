import type { commands } from './commands.ts';

/** The first words that several commands have. */
type GroupIn<Name> = Name extends `${infer Group} ${string}` ? Group : never;

/** One sentence about each group of commands, for the help. */
export const groups = {
  context: 'Platforms and logins of this machine.',
  files: 'Files of a partner.',
  jobs: 'Jobs of workflows.',
  queues: 'Queues of jobs.',
  connections: 'Connections to partners.',
  sessions: 'Open sessions over SFTP and HTTP.',
  transfers: 'Uploads and downloads that run.',
  uploads: 'Uploads that run or were interrupted.',
  bans: 'Addresses from which logins are refused.',
  users: 'Users of actors.',
  managers: 'Manager users.',
  objects: 'Objects of the configuration.',
  vfs: 'Virtual file systems.',
  audit: 'The audit log.',
  workflow: 'Workflow templates.',
  expectation: 'Files that are expected.',
  approval: 'Jobs that wait for an approval.',
  webhook: 'Deliveries of webhooks.',
  'api-key': 'API keys of manager users.',
  logins: 'Logins of manager users.',
  'outside-names': 'Names of users of an outside issuer.',
  'second-factor': 'The second factor of your logins.',
  secret: 'Secrets that the configuration refers to.',
  'ssh-key': 'SSH keys of client connections.',
  'pgp-key': 'PGP keys of the platform.',
  'signing-keys': 'Keys of tokens, receipts, the audit log and SSH servers.',
  witness: 'Witnesses, which cosign audit logs.',
} as const satisfies Record<GroupIn<keyof typeof commands>, string>;
