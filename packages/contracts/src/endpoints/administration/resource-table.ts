import { accessTestSchema } from '../../configuration/access-test.ts';
import { accountPolicySchema } from '../../configuration/accounts/account-policy.ts';
import { clientConnectionSchema } from '../../configuration/connections/client-connection.ts';
import { groupSchema } from '../../configuration/group-configuration.ts';
import { pgpKeySchema } from '../../configuration/pgp-key.ts';
import { actorSettingsSchema } from '../../configuration/platform-configuration.ts';
import { shownStorageClassSchema, storageClassSchema } from '../../configuration/storage-class.ts';
import {
  clusterSchema,
  connectionContractSchema,
  virtualFileSystemSchema,
} from '../../configuration/storage-configuration.ts';
import { managerUserSchema, partnerUserSchema } from '../../configuration/user-configuration.ts';
import { contractSchema, jobQueueSchema } from '../../configuration/workflow-configuration.ts';
import { workflowTemplateSchema } from '../../configuration/workflow-template.ts';
import { roleConfigurationSchema, roleNameSchema } from '../../roles/role-configuration.ts';
import type { AdministeredResource, ListFilter } from './resource.ts';

/** Parameters of tasks that name PGP keys; some are a list, or a text. */
const pgpParameters = ['key', 'keys', 'keys[]', 'recipients', 'recipients[]', 'signers', 'signers[]', 'signWith'].map(
  (name) => `with.${name}`,
);

/** Settings of the steps of a workflow, in all its sections. */
function inSteps(...settings: readonly string[]): Pick<ListFilter, 'setting' | 'or'> {
  const [setting = '', ...or] = ['steps', 'onError', 'finally'].flatMap((section) =>
    settings.map((name) => `${section}[].${name}`),
  );
  return { setting, or };
}

/** Everything of the configuration that has an address of its own, by its collection. */
export const resources = {
  clusters: {
    id: 'Cluster',
    entityType: 'Cluster',
    collection: 'clusters',
    titles: ['cluster', 'clusters'],
    schema: clusterSchema,
    ofActor: 'none',
    filters: [
      { name: 'server', setting: 'servers[].name' },
      { name: 'protocol', setting: 'servers[].protocol' },
    ],
  },
  'account-policies': {
    id: 'AccountPolicy',
    entityType: 'Account Policy',
    collection: 'account-policies',
    titles: ['account policy', 'account policies'],
    schema: accountPolicySchema,
    // They decide how users, administrators too, prove who they are.
    changePermissions: 'identities',
    ofActor: 'none',
  },
  'storage-classes': {
    id: 'StorageClass',
    entityType: 'Storage Class',
    collection: 'storage-classes',
    titles: ['storage class', 'storage classes'],
    schema: storageClassSchema,
    shown: shownStorageClassSchema,
    ofActor: 'none',
    filters: [{ name: 'type', setting: 'type' }],
    sorts: ['type'],
  },
  roles: {
    id: 'Role',
    entityType: 'Role',
    collection: 'roles',
    titles: ['role', 'roles'],
    schema: roleConfigurationSchema,
    shown: roleConfigurationSchema.safeExtend({ name: roleNameSchema }),
    permissions: 'identities',
    ofActor: 'none',
    filters: [
      { name: 'permission', setting: 'permissions[]' },
      { name: 'limitedTo', setting: 'actors[]' },
    ],
  },
  'manager-users': {
    id: 'ManagerUser',
    entityType: 'Internal User',
    collection: 'manager-users',
    titles: ['manager user', 'manager users'],
    schema: managerUserSchema,
    permissions: 'identities',
    ofActor: 'none',
    filters: [
      { name: 'enabled', setting: 'enabled' },
      { name: 'role', setting: 'roles[]' },
    ],
    sorts: ['enabled'],
  },
  queues: {
    id: 'QueueSettings',
    entityType: 'Job Queue',
    collection: 'queues',
    titles: ['queue', 'queues'],
    schema: jobQueueSchema,
    ofActor: 'none',
    filters: [{ name: 'status', setting: 'status' }],
    sorts: ['status', 'priority', 'parallelism'],
  },
  'workflow-templates': {
    id: 'WorkflowTemplate',
    entityType: 'Workflow Template',
    collection: 'workflow-templates',
    titles: ['workflow template', 'workflow templates'],
    schema: workflowTemplateSchema,
    ofActor: 'none',
    filters: [
      { name: 'task', setting: 'steps[].uses' },
      { name: 'workflow', ...inSteps('workflow') },
      { name: 'connection', ...inSteps('with.connection') },
      { name: 'pgpKey', ...inSteps(...pgpParameters) },
    ],
  },
  actors: {
    id: 'Actor',
    entityType: 'Actor',
    collection: 'actors',
    titles: ['actor', 'actors'],
    schema: actorSettingsSchema.required({ type: true }),
    ofActor: 'none',
    filters: [
      { name: 'type', setting: 'type' },
      { name: 'accountPolicy', setting: 'accountPolicy' },
    ],
    sorts: ['type', 'accountPolicy'],
  },
  users: {
    id: 'User',
    entityType: 'External User',
    collection: 'users',
    titles: ['user', 'users'],
    schema: partnerUserSchema,
    ofActor: 'all',
    filters: [
      { name: 'enabled', setting: 'enabled' },
      { name: 'authentication', setting: 'authentication' },
      { name: 'group', setting: 'groups[]' },
    ],
    sorts: ['actor', 'enabled', 'authentication', 'expires'],
    times: [
      {
        name: 'lastLoginAt',
        description:
          'The last successful login over SFTP or HTTP, to five minutes, UTC; absent if there was none since the platform notes it.',
        before: 'lastLoginBefore',
      },
    ],
  },
  groups: {
    id: 'Group',
    entityType: 'Group',
    collection: 'groups',
    titles: ['group', 'groups'],
    schema: groupSchema,
    ofActor: 'all',
    filters: [{ name: 'enabled', setting: 'enabled' }],
    sorts: ['actor', 'enabled'],
  },
  'virtual-file-systems': {
    id: 'VirtualFileSystem',
    entityType: 'VFS',
    collection: 'virtual-file-systems',
    titles: ['virtual file system', 'virtual file systems'],
    schema: virtualFileSystemSchema,
    ofActor: 'all',
    filters: [{ name: 'storageClass', setting: 'storageClass' }],
    sorts: ['actor', 'storageClass'],
  },
  'connection-contracts': {
    id: 'ConnectionContract',
    entityType: 'Connection Contract',
    collection: 'connection-contracts',
    titles: ['Connection Contract', 'Connection Contracts'],
    schema: connectionContractSchema,
    ofActor: 'all',
    filters: [
      { name: 'enabled', setting: 'enabled' },
      { name: 'cluster', setting: 'cluster' },
      { name: 'server', setting: 'server' },
      { name: 'user', setting: 'clauses[].user' },
      { name: 'group', setting: 'clauses[].group' },
      { name: 'vfs', setting: 'clauses[].vfs' },
    ],
    sorts: ['actor', 'cluster', 'server', 'enabled'],
  },
  'client-connections': {
    id: 'ClientConnection',
    entityType: 'Client Connection',
    collection: 'client-connections',
    titles: ['client connection', 'client connections'],
    schema: clientConnectionSchema,
    ofActor: 'some',
    filters: [
      { name: 'enabled', setting: 'enabled' },
      { name: 'type', setting: 'type' },
    ],
    sorts: ['actor', 'type', 'enabled'],
  },
  'pgp-keys': {
    id: 'PgpKey',
    entityType: 'PGP Key',
    collection: 'pgp-keys',
    titles: ['PGP key', 'PGP keys'],
    schema: pgpKeySchema,
    ofActor: 'some',
    sorts: ['actor'],
  },
  contracts: {
    id: 'Contract',
    entityType: 'Contract',
    collection: 'contracts',
    titles: ['contract', 'contracts'],
    schema: contractSchema,
    ofActor: 'all',
    filters: [
      { name: 'enabled', setting: 'enabled' },
      { name: 'type', setting: 'type' },
      { name: 'queue', setting: 'queue' },
      { name: 'workflow', setting: 'actions[].workflow' },
      { name: 'trigger', setting: 'actions[].trigger.type' },
      {
        name: 'vfs',
        setting: 'actions[].vfs',
        or: ['actions[].trigger.vfs', 'actions[].grants[].vfs', 'expectations[].vfs'],
      },
    ],
    sorts: ['actor', 'type', 'queue', 'enabled'],
  },
  'access-tests': {
    id: 'AccessTest',
    entityType: 'Access Test',
    collection: 'access-tests',
    titles: ['access test', 'access tests'],
    schema: accessTestSchema,
    ofActor: 'none',
  },
} as const satisfies Readonly<Record<string, AdministeredResource>>;

/** The same as a list. */
export const administeredResources: readonly AdministeredResource[] = Object.values(resources);
