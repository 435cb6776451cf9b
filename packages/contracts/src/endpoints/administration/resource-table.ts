import { accessTestSchema } from '../../configuration/access-test.ts';
import { accountPolicySchema } from '../../configuration/accounts/account-policy.ts';
import { clientConnectionSchema } from '../../configuration/connections/client-connection.ts';
import { pgpKeySchema } from '../../configuration/pgp-key.ts';
import { actorSchema } from '../../configuration/platform-configuration.ts';
import { storageClassSchema } from '../../configuration/storage-class.ts';
import {
  clusterSchema,
  connectionContractSchema,
  virtualFileSystemSchema,
} from '../../configuration/storage-configuration.ts';
import { managerUserSchema, partnerUserSchema } from '../../configuration/user-configuration.ts';
import { contractSchema, jobQueueSchema } from '../../configuration/workflow-configuration.ts';
import { workflowTemplateSchema } from '../../configuration/workflow-template.ts';
import { roleConfigurationSchema } from '../../roles/role-configuration.ts';
import type { AdministeredResource } from './resource.ts';

/** Everything of the configuration that has an address of its own. */
export const administeredResources: readonly AdministeredResource[] = [
  {
    id: 'Cluster',
    entityType: 'Cluster',
    collection: 'clusters',
    titles: ['cluster', 'clusters'],
    schema: clusterSchema,
    ofActor: 'none',
  },
  {
    id: 'AccountPolicy',
    entityType: 'Account Policy',
    collection: 'account-policies',
    titles: ['account policy', 'account policies'],
    schema: accountPolicySchema,
    ofActor: 'none',
  },
  {
    id: 'StorageClass',
    entityType: 'Storage Class',
    collection: 'storage-classes',
    titles: ['storage class', 'storage classes'],
    schema: storageClassSchema,
    ofActor: 'none',
  },
  {
    id: 'Role',
    entityType: 'Role',
    collection: 'roles',
    titles: ['role', 'roles'],
    schema: roleConfigurationSchema,
    permissions: 'identities',
    ofActor: 'none',
  },
  {
    id: 'ManagerUser',
    entityType: 'Internal User',
    collection: 'manager-users',
    titles: ['manager user', 'manager users'],
    schema: managerUserSchema,
    permissions: 'identities',
    ofActor: 'none',
  },
  {
    id: 'QueueSettings',
    entityType: 'Job Queue',
    collection: 'queues',
    titles: ['queue', 'queues'],
    schema: jobQueueSchema,
    ofActor: 'none',
  },
  {
    id: 'WorkflowTemplate',
    entityType: 'Workflow Template',
    collection: 'workflow-templates',
    titles: ['workflow template', 'workflow templates'],
    schema: workflowTemplateSchema,
    ofActor: 'none',
  },
  {
    id: 'Actor',
    entityType: 'Actor',
    collection: 'actors',
    titles: ['actor', 'actors'],
    schema: actorSchema
      .pick({ name: true, description: true, type: true, accountPolicy: true })
      .required({ type: true }),
    ofActor: 'none',
  },
  {
    id: 'User',
    entityType: 'External User',
    collection: 'users',
    titles: ['user', 'users'],
    schema: partnerUserSchema,
    ofActor: 'all',
  },
  {
    id: 'VirtualFileSystem',
    entityType: 'VFS',
    collection: 'virtual-file-systems',
    titles: ['virtual file system', 'virtual file systems'],
    schema: virtualFileSystemSchema,
    ofActor: 'all',
  },
  {
    id: 'ConnectionContract',
    entityType: 'Connection Contract',
    collection: 'connection-contracts',
    titles: ['Connection Contract', 'Connection Contracts'],
    schema: connectionContractSchema,
    ofActor: 'all',
  },
  {
    id: 'ClientConnection',
    entityType: 'Client Connection',
    collection: 'client-connections',
    titles: ['client connection', 'client connections'],
    schema: clientConnectionSchema,
    ofActor: 'some',
  },
  {
    id: 'PgpKey',
    entityType: 'PGP Key',
    collection: 'pgp-keys',
    titles: ['PGP key', 'PGP keys'],
    schema: pgpKeySchema,
    ofActor: 'some',
  },
  {
    id: 'Contract',
    entityType: 'Contract',
    collection: 'contracts',
    titles: ['contract', 'contracts'],
    schema: contractSchema,
    ofActor: 'all',
  },
  {
    id: 'AccessTest',
    entityType: 'Access Test',
    collection: 'access-tests',
    titles: ['access test', 'access tests'],
    schema: accessTestSchema,
    ofActor: 'none',
  },
];
