import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { Expectation } from '@waybill/contracts/configuration/expectation';
import type {
  ActorConfiguration,
  PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { localStorageClass } from '@waybill/contracts/configuration/storage-class';
import { isFileTrigger, systemOfAction } from '@waybill/contracts/configuration/workflow-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { queuesOf } from '../job-queue.ts';
import type { MayExist } from './hidden-names.ts';

/**
 * The entities to which parts of an actor may refer: those of the actor, and the platform's templates, queues and
 * servers.
 */
interface Nameable {
  readonly actorName: string;
  readonly users: KnownNames;
  /** Those that are defined, and those that users are in. */
  readonly groups: KnownNames;
  readonly systems: KnownNames;
  /** Those of all actors. */
  readonly allSystems: KnownNames;
  readonly templates: KnownNames;
  readonly queues: KnownNames;
  readonly accountPolicies: KnownNames;
  readonly storageClasses: KnownNames;
  readonly clusters: KnownNames;
  /** By cluster. */
  readonly servers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The names that are listed, and has others that may exist. */
interface KnownNames extends Iterable<string> {
  has(name: string): boolean;
}

/** References inside actors that have no target. */
export function checkActors(configuration: PlatformConfiguration, mayExist: MayExist = () => false): FieldError[] {
  const ofPlatform = nameableByAll(configuration, mayExist);
  return configuration.actors.flatMap((actor, index) => {
    const nameable = { ...ofPlatform, ...nameableBy(actor, mayExist) };
    const place = `actors[${index}]`;
    return [
      ...checkExistence(actor, mayExist, place),
      ...checkPolicy(actor, nameable, place),
      ...checkStorage(actor, nameable, place),
      ...checkRules(actor, nameable, place),
      ...checkConnectionContracts(actor, nameable, place),
      ...checkContracts(actor, nameable, place),
    ];
  });
}

function checkExistence({ name, type }: ActorConfiguration, mayExist: MayExist, actor: string): FieldError[] {
  if (type !== undefined || mayExist('Actor', { name })) return [];
  return [
    { field: `${actor}.type`, message: `there is no actor ${name}: give a type, Partner or Application, to create it` },
  ];
}

function checkPolicy(
  { accountPolicy }: ActorConfiguration,
  { accountPolicies }: Nameable,
  actor: string,
): FieldError[] {
  if (accountPolicy === undefined) return [];
  return refer(accountPolicy, accountPolicies, `${actor}.accountPolicy`, 'there is no account policy');
}

type OfActor = 'actorName' | 'users' | 'groups' | 'systems';

function nameableBy(actor: ActorConfiguration, mayExist: MayExist): Pick<Nameable, OfActor> {
  const known = (entityType: EntityType, listed: ReadonlySet<string>) =>
    knownNames(listed, (name) => mayExist(entityType, { name, actor: actor.name }));
  return {
    actorName: actor.name,
    users: known('External User', names(actor.users)),
    groups: known('Group', new Set([...names(actor.groups), ...actor.users.flatMap(({ groups }) => groups)])),
    systems: known('VFS', names(actor.virtualFileSystems)),
  };
}

/** Collected once: a configuration may have tens of thousands of actors. */
function nameableByAll(configuration: PlatformConfiguration, mayExist: MayExist): Omit<Nameable, OfActor> {
  const { accountPolicies, clusters, storageClasses, workflowTemplates } = configuration;
  const known = (entityType: EntityType, items: readonly { readonly name: string }[]) =>
    knownNames(names(items), (name) => mayExist(entityType, { name }));
  return {
    allSystems: known(
      'VFS',
      configuration.actors.flatMap(({ virtualFileSystems }) => virtualFileSystems),
    ),
    templates: known('Workflow Template', workflowTemplates),
    queues: known('Job Queue', queuesOf(configuration)),
    accountPolicies: known('Account Policy', accountPolicies),
    storageClasses: known('Storage Class', [{ name: localStorageClass }, ...storageClasses]),
    clusters: known('Cluster', clusters),
    servers: new Map(clusters.map(({ name, servers }) => [name, names(servers)])),
  };
}

function checkStorage({ virtualFileSystems }: ActorConfiguration, nameable: Nameable, actor: string): FieldError[] {
  return virtualFileSystems.flatMap(({ storageClass }, v) => {
    const place = `${actor}.virtualFileSystems[${v}].storageClass`;
    return refer(storageClass, nameable.storageClasses, place, 'there is no storage class');
  });
}

function checkRules({ virtualFileSystems }: ActorConfiguration, nameable: Nameable, actor: string): FieldError[] {
  return virtualFileSystems.flatMap(({ acl = [] }, v) =>
    acl.flatMap(({ grants }, r) =>
      grants.flatMap((grant, g) =>
        checkWho(grant, nameable, `${actor}.virtualFileSystems[${v}].acl[${r}].grants[${g}]`),
      ),
    ),
  );
}

function checkConnectionContracts(actor: ActorConfiguration, nameable: Nameable, actorPlace: string): FieldError[] {
  return actor.connectionContracts.flatMap(({ cluster, server, clauses }, c) => {
    const place = `${actorPlace}.connectionContracts[${c}]`;
    return [
      ...checkServer({ cluster, server }, nameable, place),
      ...clauses.flatMap((clause, index) => [
        ...checkWho(clause, nameable, `${place}.clauses[${index}]`),
        ...checkSystem(clause.vfs, nameable, `${place}.clauses[${index}].vfs`),
      ]),
    ];
  });
}

function checkContracts(actor: ActorConfiguration, nameable: Nameable, actorPlace: string): FieldError[] {
  const { queues, templates } = nameable;
  return actor.contracts.flatMap(({ queue, actions, expectations = [] }, c) => {
    const place = `${actorPlace}.contracts[${c}]`;
    return [
      ...refer(queue, queues, `${place}.queue`, 'there is no queue'),
      ...expectations.flatMap(({ vfs }, e) => checkSystem(vfs, nameable, `${place}.expectations[${e}].vfs`)),
      ...actions.flatMap(({ workflow, vfs, trigger, grants = [] }, a) => {
        const action = `${place}.actions[${a}]`;
        return [
          ...refer(workflow, templates, `${action}.workflow`, 'there is no workflow template'),
          ...(isFileTrigger(trigger) ? checkSystem(trigger.vfs, nameable, `${action}.trigger.vfs`) : []),
          ...checkActionSystem(vfs, trigger, nameable, `${action}.vfs`),
          ...checkExpected(vfs, trigger, expectations, action),
          ...checkGrants(grants, systemOfAction({ trigger, vfs }, expectations), nameable, action),
        ];
      }),
    ];
  });
}

type Trigger = ActorConfiguration['contracts'][number]['actions'][number]['trigger'];

/** An action works in one VFS: that of its trigger, if it has one. */
function checkActionSystem(vfs: string | undefined, trigger: Trigger, nameable: Nameable, place: string): FieldError[] {
  if (vfs === undefined) return [];
  if (isFileTrigger(trigger) && trigger.vfs !== vfs) {
    return [{ field: place, message: `the action works in the VFS of its trigger, ${trigger.vfs}` }];
  }
  return checkSystem(vfs, nameable, place);
}

/** An action has all rights in the VFS that it works in. */
function checkGrants(
  grants: readonly { readonly vfs: string }[],
  own: string | undefined,
  { allSystems }: Nameable,
  action: string,
): FieldError[] {
  return grants.flatMap(({ vfs }, g) => {
    const field = `${action}.grants[${g}].vfs`;
    if (vfs === own) return [{ field, message: `the action works in the VFS ${vfs}, where it needs no grant` }];
    return refer(vfs, allSystems, field, 'there is no VFS');
  });
}

/** An action that an expectation starts works in the VFS of the expectation. */
function checkExpected(
  vfs: string | undefined,
  trigger: Trigger,
  expectations: readonly Expectation[],
  action: string,
): FieldError[] {
  if (trigger.type !== 'Expectation') return [];
  const { expectation: name } = trigger;
  const expected = expectations.find((one) => one.name === name);
  if (!expected) {
    return refer(name, names(expectations), `${action}.trigger.expectation`, 'the contract has no expectation');
  }
  if (vfs === undefined || vfs === expected.vfs) return [];
  return [{ field: `${action}.vfs`, message: `the action works in the VFS of its expectation, ${expected.vfs}` }];
}

function checkServer(
  { cluster, server }: { cluster: string; server: string },
  { clusters, servers }: Nameable,
  place: string,
): FieldError[] {
  const known = servers.get(cluster);
  if (!known) return refer(cluster, clusters, `${place}.cluster`, 'there is no cluster');
  return refer(server, known, `${place}.server`, `cluster ${cluster} has no server`);
}

function checkSystem(vfs: string, { systems, actorName }: Nameable, place: string): FieldError[] {
  return refer(vfs, systems, place, `actor ${actorName} has no VFS`);
}

function checkWho(
  { user, group }: { user?: string | undefined; group?: string | undefined },
  { users, groups, actorName }: Nameable,
  place: string,
): FieldError[] {
  if (user !== undefined) return refer(user, users, `${place}.user`, `actor ${actorName} has no user`);
  if (group === undefined) return [];
  return refer(group, groups, `${place}.group`, `actor ${actorName} has no group`);
}

function knownNames(listed: ReadonlySet<string>, mayExist: (name: string) => boolean): KnownNames {
  return { has: (name) => listed.has(name) || mayExist(name), [Symbol.iterator]: () => listed.values() };
}

function names(items: readonly { readonly name: string }[]): Set<string> {
  return new Set(items.map(({ name }) => name));
}

/** An error for an unknown name: the sentence, the name, and the nearest known name. */
function refer(name: string, known: KnownNames, field: string, sentence: string): FieldError[] {
  return known.has(name) ? [] : [{ field, message: `${sentence} ${name}${suggestion(name, [...known])}` }];
}
