import { testConfiguration } from './test-configuration.ts';

/** A secret that no answer may contain. */
const canary = 'canary-4d1f-of-dry-runs';

/** Of the users `gina` and `carl`. */
export const password = 'a-password-of-the-tests';

const step = (name: string, uses: string, parameters: object, more: object = {}) => ({
  name,
  uses,
  with: parameters,
  ...more,
});
const pack = step('pack', 'gzip', { source: '${{ file.path }}', target: '/outbox/${{ file.stem }}.gz' });
const templates = [
  {
    name: 'route',
    inputs: { limit: { type: 'integer', default: 10 } },
    steps: [
      { ...pack, if: 'file.size > inputs.limit' },
      step('note', 'log', { message: '${{ file.name }} of ${{ file.fileset }} ${{ job.contract }}' }),
      step('tell', 'webhook', { connection: 'hooks', event: 'e', data: { size: '${{ steps.pack.outputs.size }}' } }),
    ],
    onError: [step('alert', 'write-file', { path: '/outbox/failed', text: '${{ error.message }}' })],
  },
  {
    name: 'secretive',
    inputs: { pin: { type: 'integer', default: 4711 }, folder: { default: '/outbox' } },
    steps: [
      step('whole', 'write-file', { path: '/a', text: 'Bearer ${{ variables.apiToken }} ${{ inputs.pin }}' }),
      step('part', 'write-file', { path: '/b', text: '${{ variables.apiToken.substring(0, 4) }}' }),
      step('sum', 'log', { message: '${{ inputs.pin + 1 }}' }),
      step('sent', 'webhook', {
        connection: 'hooks',
        event: 'e',
        data: { password: `literal-${canary}`, other: `literal-${canary}` },
      }),
      step('raise', 'raise-error', { message: 'no: ${{ variables.apiToken }}' }),
    ],
  },
  {
    name: 'loops',
    steps: [
      step(
        'each',
        'write-file',
        {
          path: '/o',
          text: '${{ variables.text }}${{ variables.names.map(a, variables.names.map(b, a == b)).size() }}',
        },
        {
          foreach: { in: 'variables.names', continueOnError: true },
        },
      ),
    ],
  },
];

const onDemand = (name: string, workflow: string, variables: object = {}) => ({
  name,
  trigger: { type: 'OnDemand' },
  vfs: 'acme-files',
  workflow,
  variables,
});
const arrival = (vfs: string) => ({ type: 'NewFile', vfs, virtualPath: '/inbox', filePattern: '*.csv' });
const [acme] = testConfiguration.actors;
/** The test configuration with workflows for dry runs, and users who reach a part of it. */
export const dryRunConfiguration = {
  ...testConfiguration,
  clientConnections: [{ name: 'hooks', type: 'http', url: 'https://hooks.example.org' }],
  roles: [
    { name: 'Globex reads', permissions: ['configuration:read', 'jobs:read'], actors: ['globex'] },
    { name: 'Without jobs', permissions: ['configuration:read'] },
  ],
  managerUsers: [
    ...testConfiguration.managerUsers,
    { name: 'gina', password, roles: ['Globex reads'] },
    { name: 'carl', password, roles: ['Without jobs'] },
  ],
  workflowTemplates: [...testConfiguration.workflowTemplates, ...templates],
  actors: [
    {
      ...acme,
      contracts: [
        ...(acme?.contracts ?? []),
        {
          name: 'dry',
          type: 'Mediation',
          expectations: [{ name: 'daily', vfs: 'acme-files', virtualPath: '/inbox', cron: '0 9 * * *' }],
          actions: [
            { name: 'route', trigger: arrival('acme-files'), workflow: 'route', variables: { limit: '1000' } },
            onDemand('secretive', 'secretive', { apiToken: canary }),
            onDemand('loops', 'loops'),
            {
              name: 'missed',
              trigger: { type: 'Expectation', expectation: 'daily', on: ['missed'] },
              workflow: 'write-report',
              variables: { folder: '/outbox', name: 'x', text: '${{ no expression here }}' },
            },
          ],
        },
      ],
    },
    {
      name: 'globex',
      type: 'Partner',
      virtualFileSystems: [{ name: 'globex-files', folders: ['/inbox'] }],
      contracts: [
        {
          name: 'globex-dry',
          type: 'Mediation',
          actions: [{ name: 'route', trigger: arrival('globex-files'), workflow: 'route' }],
        },
      ],
    },
  ],
};
