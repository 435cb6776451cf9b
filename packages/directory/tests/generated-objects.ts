import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import { actorLists, platformLists } from '@waybill/directory/sources/lists-of-kinds';
import fc from 'fast-check';
import { type ResourceSamples, resourceSamples, type Sample } from './resource-samples.ts';

/** Settings on which other objects or earlier documents depend: the group of a clause, the place where a storage class has files. */
const kept = new Set(['name', 'type', 'groups', 'prefix', 'expectations', 'servers']);

/** The settings that samples can do without. */
const droppable = resourceSamples('any').flatMap(({ resource, samples }) =>
  samples.flatMap((sample, index) =>
    Object.keys(sample)
      .filter((setting) => !kept.has(setting) && resource.schema.safeParse(without(sample, [setting])).success)
      .map((setting) => ({ collection: resource.collection, index, setting })),
  ),
);

/** Kinds to which no other refers. */
const leaves: readonly EntityType[] = [
  'Internal User',
  'Connection Contract',
  'Client Connection',
  'PGP Key',
  'Contract',
  'Access Test',
];

/** Objects of every kind of resource: which settings they lack, and which kinds are there at all. */
export const generatedObjects = fc.record({ dropped: fc.subarray(droppable), present: fc.subarray([...leaves]) });

/** Which objects a source has. */
export type GeneratedObjects = typeof generatedObjects extends fc.Arbitrary<infer Value> ? Value : never;

/** The lists of a document with these objects, whose names begin with that of the source. */
export function listsOf(source: string, { dropped, present }: GeneratedObjects): Record<string, object[]> {
  const kinds = resourceSamples(source).filter(
    ({ entityType }) => !leaves.includes(entityType) || present.includes(entityType),
  );
  const objectsOf = ({ resource, samples }: ResourceSamples): Sample[] =>
    samples
      .map((sample, index) => {
        const own = dropped.filter((one) => one.collection === resource.collection && one.index === index);
        const fewer = without(
          sample,
          own.map(({ setting }) => setting),
        );
        return resource.schema.safeParse(fewer).success ? fewer : sample;
      })
      // The policy `default` has one owner.
      .filter(({ name }) => name !== 'default');
  const entries = (ofActor: boolean) =>
    kinds
      .filter(({ resource, entityType }) => entityType !== 'Actor' && (resource.ofActor !== 'none') === ofActor)
      .flatMap((kind) => {
        const list = (ofActor ? actorLists : platformLists).get(kind.entityType);
        return list === undefined ? [] : [[list, objectsOf(kind)] as const];
      });
  const actors = kinds.filter(({ entityType }) => entityType === 'Actor').flatMap(objectsOf);
  return {
    ...Object.fromEntries(entries(false)),
    actors: actors.map((actor) => ({ ...actor, ...Object.fromEntries(entries(true)) })),
  };
}

function without(sample: Sample, settings: readonly string[]): Sample {
  const left = Object.entries(sample).filter(([setting]) => !settings.includes(setting));
  return { ...Object.fromEntries(left), name: sample.name };
}
