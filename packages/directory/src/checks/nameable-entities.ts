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

/** The actors of all contracts, by the names of the contracts. */
export function ownersOfContracts(actors: readonly unknown[]): NameableEntities['owners'] {
  return new Map(
    actors.flatMap((actor) => {
      const { data: owner } = ownerSchema.safeParse(actor);
      if (!owner) return [];
      return holderSchema.parse(actor).contracts.flatMap((contract) => (contract ? [[contract.name, owner.name]] : []));
    }),
  );
}

/**
 * The client connections, PGP keys and contracts that jobs can name: those in any of the `holders`, which are the document and
 * one actor, or all actors. `title`: who has them.
 */
export function nameableEntities(
  title: string,
  holders: readonly unknown[],
  owners: NameableEntities['owners'],
): NameableEntities {
  const read = holders.map((holder) => holderSchema.parse(holder));
  return {
    title,
    owners,
    contracts: new Map(
      read.flatMap(({ contracts }) => contracts.flatMap((one) => (one ? [[one.name, triggersOf(one.actions)]] : []))),
    ),
    connections: new Map(
      read.flatMap(({ clientConnections }) => clientConnections.flatMap((one) => (one ? [[one.name, one.type]] : []))),
    ),
    pgpKeys: new Map(
      read.flatMap(({ pgpKeys }) => pgpKeys.flatMap((one) => (one ? [[one.name, one.privateKey !== undefined]] : []))),
    ),
  };
}

type Holder = z.output<typeof holderSchema>;

function triggersOf(actions: NonNullable<Holder['contracts'][number]>['actions']): ReadonlyMap<string, string> {
  return new Map(actions.flatMap((one) => (one ? [[one.name, one.trigger.type]] : [])));
}
