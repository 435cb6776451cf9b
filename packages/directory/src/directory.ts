import type { ActorScope } from '@waybill/access/principal';
import type { ClientConnection } from '@waybill/contracts/configuration/connections/client-connection';
import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import type { PgpKey } from '@waybill/contracts/configuration/pgp-key';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Action, ActionGrant, FileOccurrence, TimeAction, WorkflowRevision } from './access/action.ts';
import type { ActorOfJob, NamedActor } from './access/actor-of-job.ts';
import type { ContractExpectation, RaisedOutcome } from './access/contract-expectation.ts';
import type { Mounts, Vfs } from './access/mounts.ts';
import type { JobQueue } from './job-queue.ts';
import type { ManagerUser, OidcLink } from './users/manager-user.ts';
import type { PartnerUser } from './users/partner-user.ts';
import type { PublicKeyLine } from './users/public-key-line.ts';

/** After how many hours the files of a VFS are deleted; the earliest time applies. */
export interface VfsRetention {
  readonly vfsId: string;
  readonly hoursAfterPut: number | undefined;
  /** Since the last complete read. */
  readonly hoursAfterGet: number | undefined;
}

/** A cluster of engines and the servers that its peers offer. */
export interface Cluster {
  readonly id: string;
  readonly name: string;
  readonly servers: readonly ClusterServer[];
}

/** A server that every peer of a cluster offers. If the configuration has no limit, the service uses its default. */
export interface ClusterServer {
  readonly name: string;
  readonly protocol: Protocol;
  readonly maxSessions: number | null;
  readonly maxSessionsPerUser: number | null;
}

/** A client connection, and whose secrets it uses: an actor's, or those of the platform (empty). */
export interface OwnedConnection {
  readonly owner: string;
  /** The number of the actor; null for the platform. */
  readonly ownerId: string | null;
  readonly connection: ClientConnection;
}

/** A PGP key, and whose secrets it uses: an actor's, or those of the platform (empty). */
export interface OwnedPgpKey {
  readonly owner: string;
  /** The number of the actor; null for the platform. */
  readonly ownerId: string | null;
  readonly key: PgpKey;
}

/** Queries the configuration in the database; results are at most a second old. */
export interface Directory {
  /** The user with this name, disabled or not. For a login use `authenticatePartnerUser`, or look at `enabled`. */
  findPartnerUser(name: UserName): Promise<PartnerUser | undefined>;
  findManagerUser(name: UserName): Promise<ManagerUser | undefined>;
  /** The manager user, enabled or not, who is this user of an outside issuer. */
  findLinkedUser(link: OidcLink): Promise<ManagerUser | undefined>;
  /**
   * The enabled user with this name and password, who may log in from this address; the call takes the same time if there is
   * no such user. Also undefined for users who may not log in with a password alone.
   */
  authenticatePartnerUser(name: UserName, password: string, address: string): Promise<PartnerUser | undefined>;
  /** The same, for callers that check `authentication` and require a key if needed. */
  verifyPartnerPassword(name: UserName, password: string, address: string): Promise<PartnerUser | undefined>;
  /** Remembers that the user has logged in with this key; written at most once a minute. */
  recordKeyUse(user: Pick<PartnerUser, 'id'>, key: PublicKeyLine): Promise<void>;
  /** Remembers that the user has logged in; written at most once in five minutes. */
  recordLogin(user: Pick<PartnerUser, 'id'>): Promise<void>;
  /** The old SSH algorithms that at least one enabled user may still use. */
  listLegacyAlgorithms(): Promise<LegacyAlgorithm[]>;
  /** Reports every user of the demo whose password would be refused now. Costs as much as a few logins. */
  reportDemoPasswords(kind: 'manager' | 'partner'): Promise<void>;
  /** The enabled user with this name and password; the call takes the same time if there is no such user. */
  authenticateManagerUser(name: UserName, password: string): Promise<ManagerUser | undefined>;
  findCluster(name: string): Promise<Cluster | undefined>;
  /**
   * The tree of the user on a server. Cheap: call it for every operation, so that a change takes effect on open
   * sessions. @throws CodedError `connection_contract_missing`; `not_authenticated` if the user is removed or disabled
   */
  openMounts(user: Pick<PartnerUser, 'id'>, server: { cluster: string; server: string }): Promise<Mounts>;
  /** Actions of enabled contracts that start when this happens to this file, by contract and action name. */
  findTriggeredActions(occurrence: FileOccurrence): Promise<Action[]>;
  /**
   * `actors`: contracts of others do not exist for the caller.
   * @throws CodedError `contract_unknown` (also if it is disabled), `action_unknown`
   */
  findAction(contractName: string, actionName: string, actors?: ActorScope): Promise<Action>;
  /** What the jobs of an action may do in other VFSs, enabled or not; nothing if the action was removed. */
  findActionGrants(
    job: Pick<ActorOfJob, 'actorId' | 'createdAt'> & { contract: string; action: string },
  ): Promise<ActionGrant[]>;
  /** The actions of enabled contracts that are started at certain times, by contract and action name. Never remembered. */
  listTimeActions(): Promise<TimeAction[]>;
  /** The expectations of enabled contracts, by contract and name: all, or those of some VFSs. Never remembered. */
  listExpectations(vfsIds?: readonly string[]): Promise<ContractExpectation[]>;
  /** The actions that an outcome of an expectation starts, by name. Never remembered. */
  findExpectationActions(raised: RaisedOutcome): Promise<Action[]>;
  /** Finds revisions of changed and removed templates, too. */
  findWorkflowRevision(templateId: number, revision: number): Promise<WorkflowRevision | undefined>;
  /** The newest revision of a template, also of a removed one. Never remembered. */
  findNewestRevision(templateId: number): Promise<WorkflowRevision | undefined>;
  /** The newest revision of the workflow template with this name; not of a removed one. Never remembered. */
  findWorkflow(name: string): Promise<WorkflowRevision | undefined>;
  /** The actor that has this name now. Never remembered. */
  findActor(name: string): Promise<NamedActor | undefined>;
  /** Whether the actor with this number exists still. Never remembered. */
  hasActor(id: string): Promise<boolean>;
  /**
   * The client connection of this name that a job may use: one of its actor, or of the platform. Never remembered.
   * @throws CodedError `connection_unknown` if it is of another actor that has got the name of the job's
   */
  findClientConnection(name: string, job: ActorOfJob): Promise<OwnedConnection | undefined>;
  /** All client connections, by name. */
  listClientConnections(): Promise<readonly OwnedConnection[]>;
  /**
   * The PGP key of this name that a job may use: one of its actor, or of the platform. Never remembered.
   * @throws CodedError `key_unknown` if it is of another actor that has got the name of the job's
   */
  findPgpKey(name: string, job: ActorOfJob): Promise<OwnedPgpKey | undefined>;
  /** All PGP keys, by name. */
  listPgpKeys(): Promise<readonly OwnedPgpKey[]>;
  findQueue(name: string): Promise<JobQueue | undefined>;
  /** All queues, by name. */
  listQueues(): Promise<JobQueue[]>;
  findVfs(id: string): Promise<Vfs | undefined>;
  /** The actor to which the VFS of this name belongs; empty if it belongs to none. */
  findVfsActor(name: string): Promise<string | undefined>;
  findVfsByName(name: string): Promise<Vfs | undefined>;
  /** The name of the storage class that new files of a VFS go to. */
  storageClassOf(vfsId: string): Promise<string>;
  /** All classes except `local`, by name, including removed ones, which may still hold files. */
  listStorageClasses(): Promise<StorageClass[]>;
  /** The retention of every VFS that has one. */
  listRetention(): Promise<VfsRetention[]>;
  /** The retention of a VFS, if it has one. */
  retentionOf(vfsId: string): Promise<VfsRetention | undefined>;
}
