import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../parse-configuration.ts';

const publicKey = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxx\n-----END PGP PUBLIC KEY BLOCK-----';
const key = (name: string, isOwn = false) => ({ name, publicKey, ...(isOwn && { privateKey: `secret://${name}` }) });
const sftp = (name: string) => ({
  name,
  type: 'sftp',
  host: 'sftp.example.org',
  username: 'u',
  password: 'secret://p',
  hostKeys: [`SHA256:${'A'.repeat(43)}`],
});

/** A template whose only step is this one, which an action of acme uses. */
function configurationWith(step: object, isUsed = true): Record<string, unknown> {
  const action = { name: 'run', trigger: { type: 'OnDemand' }, vfs: 'files', workflow: 'w' };
  const later = { name: 'later', trigger: { type: 'Time', cron: '0 6 * * *' }, workflow: 'e' };
  return {
    manager: { name: 'manager1' },
    clusters: [{ name: 'c', servers: [{ name: 's', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', password: 'secret-of-admin', roles: ['Administrators'] }],
    workflowTemplates: [
      { name: 'w', steps: [{ name: 'one', ...step }] },
      { name: 'e', steps: [{ name: 'one', uses: 'log', with: { message: 'x' } }] },
    ],
    clientConnections: [{ name: 'mail', type: 'smtp', host: 'mail.example.org', from: 'a@example.org' }],
    pgpKeys: [key('ours', true), key('with,comma')],
    actors: [
      {
        name: 'acme',
        type: 'Partner',
        virtualFileSystems: [{ name: 'files' }],
        clientConnections: [sftp('acme-sftp')],
        pgpKeys: [key('acme-key')],
        contracts: isUsed ? [{ name: 'orders', type: 'Mediation', actions: [action, later] }] : [],
      },
      {
        name: 'globex',
        type: 'Partner',
        virtualFileSystems: [{ name: 'theirs' }],
        clientConnections: [sftp('globex-sftp')],
        pgpKeys: [key('globex-key')],
        contracts: [
          { name: 'globex-orders', type: 'Mediation', actions: [{ ...action, vfs: 'theirs', workflow: 'e' }] },
        ],
      },
    ],
  };
}

function faultsOf(configuration: unknown): string[] {
  try {
    parseConfiguration(configuration);
    return [];
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    return error.fields.map(
      ({ field, message, index }) => `${field}${index === undefined ? '' : `@${index}`}: ${message}`,
    );
  }
}

const place = 'workflowTemplates[0].steps[0].with';
const push = (connection: unknown) => ({ uses: 'sftp-push', with: { connection, source: '/a', target: 'b' } });
const encrypt = (recipients: unknown, more: object = {}) => ({
  uses: 'pgp-encrypt',
  with: { source: '/a', target: '/b', recipients, ...more },
});

describe('the connections and keys that a step names', () => {
  it.each([
    ['a connection of the actor', push('acme-sftp')],
    ['a connection that is known when the job runs', push('${{ variables.to }}')],
    ['keys of the actor and of the platform', encrypt('acme-key, ours', { signWith: 'ours' })],
    ['a key whose name has a comma', encrypt(['with,comma'])],
    ['an expression among names', encrypt(['acme-key', '${{ variables.key }}'])],
  ])('may be %s', (_, step) => {
    expect(faultsOf(configurationWith(step))).toEqual([]);
  });

  it.each([
    [
      push('acme-sfpt'),
      `connection: the action orders/run has no client connection acme-sfpt; did you mean acme-sftp?`,
    ],
    [push('globex-sftp'), 'connection: the action orders/run has no client connection globex-sftp'],
    [push('mail'), 'connection: the client connection mail has the type smtp: the task needs sftp'],
    [
      encrypt('acme-key,  acme-kye'),
      'recipients@11: the action orders/run has no PGP key acme-kye; did you mean acme-key?',
    ],
    [encrypt(['acme-key', 'globex-key']), 'recipients[1]: the action orders/run has no PGP key globex-key'],
    [
      encrypt('acme-key', { signWith: 'acme-key' }),
      'signWith: the PGP key acme-key has no privateKey: the task needs a key of your own',
    ],
    [
      { uses: 'http-request', with: { connection: 'mail', headers: { 'x-key': 'secret://mail' } } },
      'headers.x-key: a step cannot use a secret',
    ],
    [{ uses: 'write-file', with: { path: '/a', text: 'secret://mail' } }, 'text: a step cannot use a secret'],
  ])('are refused if they do not exist or do not fit: %j', (step, fault) => {
    expect(faultsOf(configurationWith(step)).join('\n')).toContain(`${place}.${fault}`);
  });

  it('are reported together, and in a template that no action uses, if no actor has them', () => {
    const step = encrypt('a1, b2', { signWith: 'c3' });
    expect(faultsOf(configurationWith(step))).toHaveLength(3);
    expect(faultsOf(configurationWith(push('globex-sftp'), false))).toEqual([]);
    expect(faultsOf(configurationWith(push('nowhere'), false))).toEqual([
      `${place}.connection: the configuration has no client connection nowhere`,
    ]);
  });

  it('are compared with entities that are not valid themselves', () => {
    const broken = configurationWith(push('acme-sftp'));
    const withBroken = { ...broken, clientConnections: 'none', pgpKeys: [7, { name: 7 }, null] };
    expect(faultsOf(withBroken).filter((fault) => fault.startsWith(place))).toEqual([]);
  });
});

const submit = (contract: string, actionName: string, more: object = {}) => ({
  uses: 'submit-job',
  with: { contract, action: actionName, ...more },
});

describe('the job that a step submits', () => {
  it.each([
    ['one of an OnDemand action of the same actor', submit('orders', 'run', { variables: { to: '${{ job.id }}' } })],
    ['one of a contract that is known when the step runs', submit('${{ job.contract }}', 'nothing')],
    ['one of an action that is known when the step runs', submit('orders', '${{ job.action }}')],
  ])('may be %s', (_, step) => {
    expect(faultsOf(configurationWith(step))).toEqual([]);
  });

  it.each([
    [
      submit('order', 'run'),
      'contract: the action orders/run can submit no job of a contract order; did you mean orders?',
    ],
    [
      submit('globex-orders', 'run'),
      'contract: the contract globex-orders belongs to the actor globex: a job submits only jobs of its own actor',
    ],
    [submit('orders', 'rnu'), 'action: the contract orders has no action rnu; did you mean run?'],
    [submit('orders', 'later'), 'action: the action later of the contract orders is started by Time, not on demand'],
    [submit('orders', '${{ job.nothing }}'), 'action@4: there is no job.nothing'],
    [submit('orders', 'run', { variables: ['x'] }), 'variables: must be a map of texts by name'],
    [
      submit('orders', 'run', { variables: '${{ job.id }}' }),
      'variables: must be a map, and the expression is an integer',
    ],
    [submit('orders', 'run', { extIPID: 'x'.repeat(65) }), 'extIPID: must have at most 64 characters'],
    [{ uses: 'submit-job', with: { contract: 'orders' } }, 'the task submit-job needs the parameter action'],
  ])('exists, belongs to the actor and is on demand, or is refused: %j', (step, fault) => {
    expect(faultsOf(configurationWith(step)).join('\n')).toContain(fault);
  });

  it('is compared with the contracts of all actors in a template that no action uses', () => {
    expect(faultsOf(configurationWith(submit('globex-orders', 'run'), false))).toEqual([]);
    expect(faultsOf(configurationWith(submit('nowhere', 'run'), false))).toEqual([
      `${place}.contract: the configuration can submit no job of a contract nowhere`,
    ]);
  });
});
