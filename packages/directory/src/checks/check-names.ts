import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';

interface Placed {
  /** The place of the entity: `actors[0].users[1]`. */
  readonly place: string;
  readonly name: string;
}

/** Duplicate names. Names of users, VFSs and contracts are unique in the whole platform. */
export function checkNames(configuration: PlatformConfiguration): FieldError[] {
  const { clusters, storageClasses, roles, managerUsers, queues, workflowTemplates, actors } = configuration;
  const { accountPolicies, clientConnections, pgpKeys, accessTests } = configuration;
  return [
    ...twice('cluster', placed('clusters', clusters)),
    ...clusters.flatMap(({ servers }, c) => twice('server', placed(`clusters[${c}].servers`, servers))),
    ...twice('account policy', placed('accountPolicies', accountPolicies)),
    ...twice('storage class', placed('storageClasses', storageClasses)),
    ...twice('role', placed('roles', roles)),
    ...twice('manager user', placed('managerUsers', managerUsers)),
    ...twice('identity', identitiesOf(managerUsers), 'oidc'),
    ...twice('queue', placed('queues', queues)),
    ...twice('workflow template', placed('workflowTemplates', workflowTemplates)),
    ...workflowTemplates.flatMap(({ steps }, t) => twice('step', placed(`workflowTemplates[${t}].steps`, steps))),
    ...twice('actor', placed('actors', actors)),
    ...twice('user', ofActors(actors, 'users')),
    ...twice('VFS', ofActors(actors, 'virtualFileSystems')),
    ...twice('contract', ofActors(actors, 'contracts')),
    ...twice('client connection', [
      ...placed('clientConnections', clientConnections),
      ...ofActors(actors, 'clientConnections'),
    ]),
    ...twice('PGP key', [...placed('pgpKeys', pgpKeys), ...ofActors(actors, 'pgpKeys')]),
    ...twice('access test', placed('accessTests', accessTests)),
    ...actors.flatMap((actor, a) => insideActor(actor, `actors[${a}]`)),
  ];
}

type Actor = PlatformConfiguration['actors'][number];

function insideActor(
  { groups, virtualFileSystems, connectionContracts, contracts }: Actor,
  actor: string,
): FieldError[] {
  return [
    ...twice('group', placed(`${actor}.groups`, groups)),
    ...twice('Connection Contract', placed(`${actor}.connectionContracts`, connectionContracts)),
    ...virtualFileSystems.flatMap(({ acl = [] }, v) => {
      const rules = acl.map(({ path }, r) => ({ name: path, place: `${actor}.virtualFileSystems[${v}].acl[${r}]` }));
      return twice('rule', rules, 'path');
    }),
    ...contracts.flatMap(({ actions, expectations = [] }, c) => [
      ...twice('action', placed(`${actor}.contracts[${c}].actions`, actions)),
      ...twice('expectation', placed(`${actor}.contracts[${c}].expectations`, expectations)),
    ]),
  ];
}

/** Who manager users are at an issuer. */
function identitiesOf(users: PlatformConfiguration['managerUsers']): Placed[] {
  return users.flatMap(({ oidc }, index) =>
    oidc === undefined ? [] : [{ name: `${oidc.subject} of ${oidc.issuer}`, place: `managerUsers[${index}]` }],
  );
}

function placed(list: string, items: readonly { readonly name: string }[]): Placed[] {
  return items.map(({ name }, index) => ({ name, place: `${list}[${index}]` }));
}

function ofActors(
  actors: readonly Actor[],
  list: 'users' | 'virtualFileSystems' | 'clientConnections' | 'pgpKeys' | 'contracts',
): Placed[] {
  return actors.flatMap((actor, a) => placed(`actors[${a}].${list}`, actor[list]));
}

function twice(what: string, items: readonly Placed[], field = 'name'): FieldError[] {
  const first = new Map<string, string>();
  return items.flatMap(({ name, place }) => {
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, place);
      return [];
    }
    return [{ field: `${place}.${field}`, message: `the ${what} ${name} already exists at ${before}` }];
  });
}
