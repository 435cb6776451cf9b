import type { Sections } from '../command.ts';

/** The headings of the help of `waybill`, in its order, each with the first words of its commands. */
export const sections: Sections = {
  'Working with a platform:': [
    'login',
    'logout',
    'password',
    'second-factor',
    'context',
    'status',
    'files',
    'jobs',
    'queues',
    'approval',
    'expectation',
    'webhook',
    'connections',
    'sessions',
    'transfers',
    'uploads',
    'bans',
    'users',
    'managers',
    'logins',
    'api-key',
    'outside-names',
    'expiries',
  ],
  'Configuration:': [
    'validate',
    'plan',
    'apply',
    'export',
    'drift',
    'adopt',
    'release',
    'force',
    'schema',
    'objects',
    'explain',
    'workflow',
    'vfs',
    'secret',
    'ssh-key',
  ],
  'The audit log:': ['audit'],
  'On the server of an installation:': [
    'migrate',
    'recover-administrator',
    'recover-second-factor',
    'keys',
    'signing-keys',
    'pgp-key',
    'witness',
  ],
  'This program:': ['completion', 'version'],
};

/** The heading of a command. */
export function sectionOf(name: string, of: Sections = {}): string | undefined {
  const first = firstWordOf(name);
  return Object.entries(of).find(([, words]) => words.includes(first))?.[0];
}

/** Commands in the order of the help: by their sections, within one by their first words, and otherwise as they were. */
export function inSections<C>(commands: readonly (readonly [name: string, command: C])[], of: Sections = {}) {
  const order = Object.values(of).flat();
  const at = (name: string): number => {
    const place = order.indexOf(firstWordOf(name));
    return place === -1 ? order.length : place;
  };
  return commands.toSorted(([one], [other]) => at(one) - at(other));
}

function firstWordOf(name: string): string {
  return name.split(' ', 1)[0] ?? '';
}
