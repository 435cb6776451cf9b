import type { NameableEntities } from '@waybill/workflow/checks/template-context';
import { z } from 'zod';

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

const ownerSchema = z.object({ name });

/**
 * The client connections, PGP keys and contracts that jobs can name: those in any of the `holders`, which are the document and
 * one actor, or all actors. `title`: who has them.
 */
export type NameableIn = (title: string, holders: readonly unknown[]) => NameableEntities;

/** Reads what jobs can name. Each holder is read once: the document is one for every action. */
export function readNameable(actors: readonly unknown[]): NameableIn {
  const known = new Map<unknown, Holder>();
  const readHolder = (value: unknown): Holder => {
    const holder = known.get(value) ?? holderSchema.parse(value);
    known.set(value, holder);
    return holder;
  };
  const owners = ownersOfContracts(actors, readHolder);
  return (title, holders) => {
    const read = holders.map(readHolder);
    const contracts = read.flatMap((holder) => named(holder.contracts));
    const connections = read.flatMap((holder) => named(holder.clientConnections));
    const pgpKeys = read.flatMap((holder) => named(holder.pgpKeys));
    return {
      title,
      owners,
      contracts: new Map(contracts.map(({ name, actions }) => [name, triggersOf(actions)])),
      connections: new Map(connections.map(({ name, type }) => [name, type])),
      pgpKeys: new Map(pgpKeys.map(({ name, privateKey }) => [name, privateKey !== undefined])),
    };
  };
}

/** The actors of all contracts, by the names of the contracts. */
function ownersOfContracts(
  actors: readonly unknown[],
  readHolder: (value: unknown) => Holder,
): NameableEntities['owners'] {
  return new Map(
    actors.flatMap((actor) => {
      const { data: owner } = ownerSchema.safeParse(actor);
      if (!owner) return [];
      return named(readHolder(actor).contracts).map((contract): [string, string] => [contract.name, owner.name]);
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
