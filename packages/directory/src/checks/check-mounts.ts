import type {
  ActorConfiguration,
  PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';

interface Binding {
  readonly server: string;
  readonly mountPath: string;
  readonly vfs: string;
  readonly place: string;
}

/** Users for whom two different VFSs would be mounted on the same path of a server. */
export function checkMounts({ actors }: PlatformConfiguration): FieldError[] {
  return actors.flatMap((actor, index) =>
    actor.users.flatMap((user) => conflicts(user.name, bindingsOf(user, actor, `actors[${index}]`))),
  );
}

function bindingsOf(
  user: ActorConfiguration['users'][number],
  { connectionContracts }: ActorConfiguration,
  actor: string,
): Binding[] {
  return connectionContracts.flatMap(({ enabled, cluster, server, clauses }, c) =>
    clauses.flatMap(({ user: name, group, vfs, mountPath }, index) => {
      const concerned = name === user.name || (group !== undefined && user.groups.includes(group));
      const place = `${actor}.connectionContracts[${c}].clauses[${index}].mountPath`;
      return enabled && concerned ? [{ server: `${cluster}/${server}`, mountPath, vfs, place }] : [];
    }),
  );
}

function conflicts(userName: string, bindings: readonly Binding[]): FieldError[] {
  return bindings.flatMap(({ server, mountPath, vfs, place }, index) => {
    const other = bindings
      .slice(0, index)
      .find((before) => before.server === server && before.mountPath === mountPath && before.vfs !== vfs);
    if (!other) return [];
    const message = `user ${userName} has VFS ${other.vfs} at ${mountPath} of ${server} already, by ${other.place}`;
    return [{ field: place, message }];
  });
}
