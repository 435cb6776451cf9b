import { generateKeyPairSync } from 'node:crypto';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { samplesOf, type SampleRules } from './schema-samples.ts';

/** The settings of an object, with its name. */
export type Sample = Readonly<Record<string, unknown>> & { readonly name: string };

/** Objects of one kind that together have each setting of the kind. */
export interface ResourceSamples {
  readonly resource: AdministeredResource;
  readonly entityType: EntityType;
  readonly samples: readonly Sample[];
}

const publicKey = sshKey();
const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

/** A workflow step is a task, or runs another workflow: what belongs together is not in its schema. */
const steps = [
  {
    name: 'each',
    uses: 'log',
    if: '${{ 1 < 2 }}',
    foreach: { in: ['a'], parallelism: 2, continueOnError: true },
    with: { message: 'x' },
    retry: { attempts: 2, delaySeconds: 1, backoff: 2, maxDelaySeconds: 9, jitter: 0.5, on: ['service_unavailable'] },
    timeoutSeconds: 60,
    continueOnError: true,
  },
];

const usedByOthers = ['account-policies', 'storage-classes', 'actors'];

/** Objects of all kinds, in the order of their references. Their names begin with a word. */
export function resourceSamples(word: string): readonly ResourceSamples[] {
  const rules = rulesFor((collection, index) => `${word}-${collection}-${index}`);
  const others = administeredResources.filter(({ collection }) => !usedByOthers.includes(collection));
  const used = usedByOthers.flatMap((name) => administeredResources.filter(({ collection }) => collection === name));
  return [...used, ...others].map((resource) => {
    const found = samplesOf(resource.schema, rules, resource.collection) as readonly Sample[];
    const samples = found.map((sample, index) => ({ ...sample, name: nameOf(word, resource, index) }));
    return { resource, entityType: resource.entityType, samples };
  });
}

/** Only the policy `default` may demand a second factor. */
function nameOf(word: string, { collection }: AdministeredResource, index: number): string {
  return collection === 'account-policies' && index === 1 ? 'default' : `${word}-${collection}-${index}`;
}

function rulesFor(name: (collection: string, index: number) => string): SampleRules {
  const secret = ['secret://sample'];
  const vfs = [name('virtual-file-systems', 0)];
  return {
    values: {
      password: [],
      timeZone: ['Europe/Berlin'],
      expires: ['2999-12-31'],
      until: ['2999-12-31'],
      keyExpires: ['2999-12-31'],
      cron: ['0 6 * * *'],
      path: ['/inbox', '/outbox'],
      virtualPath: ['/inbox'],
      mountPath: ['/a', '/b'],
      certificateAuthorities: [certificate],
      privateKey: secret,
      passphrase: secret,
      bearerToken: secret,
      signingKey: secret,
      accessKeyId: secret,
      secretAccessKey: secret,
      sessionToken: secret,
      vfs,
      user: [name('users', 0)],
      group: ['clerks'],
      cluster: [name('clusters', 0)],
      server: ['n0'],
      queue: [name('queues', 0)],
      workflow: [name('workflow-templates', 0)],
      accountPolicy: [name('account-policies', 0)],
      endpoint: ['https://s3.example.org'],
      'storage-classes(local).folder': ['/mnt/sample'],
      'storage-classes(s3).bucket': ['bucket'],
      'roles.permissions': [['jobs:*']],
      'roles.actors': [[name('actors', 0)]],
      'manager-users.roles': [['Administrators', name('roles', 0)], ['Auditors']],
      'manager-users.enabled': [true, false],
      'manager-users.oidc.issuer': [`https://login.example.org/${name('manager-users', 0)}`],
      'queues.status': ['Scheduled', 'Disabled'],
      'queues.slots.from': ['08:00'],
      'queues.slots.to': ['09:30'],
      'workflow-templates.steps': [steps],
      'workflow-templates.onError': [steps.map((step) => ({ ...step, name: 'failed' }))],
      'workflow-templates.finally': [steps.map((step) => ({ ...step, name: 'last' }))],
      'workflow-templates.inputs': [{ size: { type: 'integer', default: 5, description: 'Bytes' } }],
      'workflow-templates.outputs': [{ text: { value: 'x', type: 'text', description: 'A text' } }],
      'workflow-templates.tests': [[{ name: 'one', given: { size: 7 }, expect: { status: 'COMPLETED' } }]],
      'users.publicKeys.key': [publicKey],
      'users.groups': [['clerks']],
      networks: [['10.0.0.0/8', '192.0.2.1']],
      'virtual-file-systems.storageClass': [name('storage-classes', 0), 'local'],
      'virtual-file-systems.folders': [['/inbox']],
      'client-connections(sftp).password': secret,
      'client-connections(http).password': secret,
      'client-connections(smtp).password': secret,
      'client-connections(ftps).password': secret,
      'client-connections(sftp).hostKeys': [[`SHA256:${'A'.repeat(43)}`]],
      'client-connections(http).url': ['https://api.example.org'],
      'client-connections(smtp).from': ['a@example.org'],
      'client-connections(ftps).certificateFingerprints': [[Array.from({ length: 32 }, () => 'AB').join(':')]],
      'pgp-keys.publicKey': ['-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----'],
      'contracts.expectations.count.max': [3],
      'contracts.actions.grants.vfs': [name('virtual-file-systems', 1)],
      'contracts.actions.trigger(Expectation).expectation': ['n0'],
      'access-tests.expect': [[`${name('users', 0)} may not rename /nowhere`]],
    },
    absent: {
      user: [1],
      group: [0],
      'account-policies.secondFactor': [0],
      'queues.slots': [1],
      'manager-users.oidc': [1],
      'client-connections(http).username': [1],
      'client-connections(http).password': [1],
      'client-connections(http).bearerToken': [0],
    },
  };
}

/** A line of authorized_keys. */
function sshKey(): string {
  const text = (value: string | Buffer): Buffer => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return `ssh-ed25519 ${Buffer.concat([text('ssh-ed25519'), text(Buffer.from(x, 'base64url'))]).toString('base64')}`;
}
