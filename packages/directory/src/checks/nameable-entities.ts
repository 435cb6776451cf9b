import type { NameableEntities } from '@waybill/workflow/checks/template-context';
import { z } from 'zod';
import type { MayExist } from './hidden-names.ts';
import { readActor } from './written-document.ts';

const name = z.string().normalize('NFC');
const namedListSchema = <S extends z.ZodType>(item: S) =>
  z.array(z.union([item, z.unknown().transform(() => undefined)])).catch([]);

/** The names alone: what else is wrong with an entity is reported with it. */
const holderSchema = z
  .object({
    clientConnections: namedListSchema(z.object({ name, type: z.string() })),
    pgpKeys: namedListSchema(z.object({ name, privateKey: z.unknown().optional() })),
    contracts: namedListSchema(
      z.object({ name, actions: namedListSchema(z.object({ name, trigger: z.object({ type: z.string() }) })) }),
    ),
  })
  .catch({ clientConnections: [], pgpKeys: [], contracts: [] });

/** The client connections, PGP keys and contracts that jobs can name. */
export interface Nameable {
  /** Those of the platform and of all actors. */
  readonly anyone: NameableEntities;
  /** Those of the platform and of one actor. `title`: who names them. */
  ofActor(title: string, actor: unknown): NameableEntities;
}

/**
 * Reads what jobs can name: that of `shared`, which has what belongs to no actor, and of actors, of which there may be several
 * entries. Each holder is read once. `mayExist`: what there may be besides.
 */
export function readNameable(shared: readonly unknown[], actors: readonly unknown[], mayExist: MayExist): Nameable {
  const known = new Map<unknown, Holder>();
  const readHolder = (value: unknown): Holder => {
    const holder = known.get(value) ?? holderSchema.parse(value);
    known.set(value, holder);
    return holder;
  };
  const owners = ownersOfContracts(actors, readHolder);
  const entries = Map.groupBy(actors, (actor) => readActor(actor).name);
  const nameableIn = (holders: readonly unknown[]): Omit<NameableEntities, 'title'> => {
    const read = holders.map(readHolder);
    const contracts = read.flatMap((holder) => named(holder.contracts));
    const connections = read.flatMap((holder) => named(holder.clientConnections));
    const pgpKeys = read.flatMap((holder) => named(holder.pgpKeys));
    return {
      owners,
      mayExist: (entityType, name) => mayExist(entityType, { name }),
      contracts: new Map(contracts.map(({ name, actions }) => [name, triggersOf(actions)])),
      connections: new Map(connections.map(({ name, type }) => [name, type])),
      pgpKeys: new Map(pgpKeys.map(({ name, privateKey }) => [name, privateKey !== undefined])),
    };
  };
  /** An actor may have thousands of actions, and each names the same. */
  const ofActors = new Map<unknown, Omit<NameableEntities, 'title'>>();
  const nameableOf = (actor: unknown): Omit<NameableEntities, 'title'> => {
    const found = ofActors.get(actor) ?? nameableIn([...shared, ...(entries.get(readActor(actor).name) ?? [actor])]);
    ofActors.set(actor, found);
    return found;
  };
  return {
    anyone: { title: 'the configuration', ...nameableIn([...shared, ...actors]) },
    ofActor: (title, actor) => ({ title, ...nameableOf(actor) }),
  };
}

/** The actors of all contracts, by the names of the contracts. */
function ownersOfContracts(
  actors: readonly unknown[],
  readHolder: (value: unknown) => Holder,
): NameableEntities['owners'] {
  return new Map(
    actors.flatMap((actor) => {
      const { name: owner } = readActor(actor);
      if (owner === undefined) return [];
      return named(readHolder(actor).contracts).map((contract): [string, string] => [contract.name, owner]);
    }),
  );
}

/** Those that could be read. */
function named<Item>(items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined);
}

type Holder = z.output<typeof holderSchema>;

function triggersOf(actions: NonNullable<Holder['contracts'][number]>['actions']): ReadonlyMap<string, string> {
  return new Map(named(actions).map(({ name, trigger }) => [name, trigger.type]));
}
