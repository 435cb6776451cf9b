import { grantsOf } from '@waybill/access/principal';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { writeEntities } from '@waybill/directory/administration/write-entity';
import { exportSources } from '@waybill/directory/export-source';
import { readEntitiesAround, type StoredEntity } from '@waybill/directory/sources/stored-entities';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';
import { resourceSamples, type Sample } from './resource-samples.ts';

const kinds = resourceSamples('trip');
const actor = kinds.find(({ entityType }) => entityType === 'Actor')?.samples[0]?.name;
let written: TestPlatform;
let applied: TestPlatform;
let [stored, copied]: StoredEntity[][] = [];

/** Everything is written over the API, exported, and applied to an empty platform. */
beforeAll(async () => {
  [written, applied] = await Promise.all([openTestPlatform(), openTestPlatform()]);
  const writer = {
    db: written.db,
    files: written.files,
    by: { user: 'admin', nodeId: 'node1', managerName: 'manager1' },
    rights: { grants: grantsOf(['Administrators']), actors: undefined },
  };
  const writes = kinds.flatMap(({ resource, entityType, samples }) =>
    samples.map((sample) => ({
      target: { entityType, name: sample.name, actor: ownerOf(resource) },
      settings: () => sample,
    })),
  );
  await writeEntities(writer, writes);
  stored = await readEntitiesAround(written.db);
  const [exported] = await exportSources(written.db, null);
  await applied.apply({ ...exported?.document, source: 'copy' });
  copied = await readEntitiesAround(applied.db);
});

afterAll(async () => {
  await Promise.all([written, applied].map((platform) => platform.close()));
});

function ownerOf({ ofActor }: AdministeredResource): string | undefined {
  return ofActor === 'none' ? undefined : actor;
}

const settingsOf = (entities: readonly StoredEntity[] | undefined, entityType: string, name: string) =>
  entities?.find((entity) => entity.entityType === entityType && entity.name === name)?.definition;

/** The settings as JSON with their defaults, and the actor. */
function expectedOf(resource: AdministeredResource, sample: Sample): unknown {
  const owner = ownerOf(resource);
  const settings: unknown = JSON.parse(JSON.stringify(resource.schema.parse(sample)));
  return { ...(settings as object), ...(owner !== undefined && { actor: owner }) };
}

/** The settings of a kind without passwords: `sftp host` for what only an option of a union has. */
function settingNames(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodDiscriminatedUnion)
    return schema.options.flatMap((option) => settingNames(optionIn(option)));
  return Object.keys(optionIn(schema).shape)
    .filter((name) => name !== 'password')
    .map((name) => `${typeIn(optionIn(schema))}${name}`);
}

function typeIn({ shape: { type } }: z.ZodObject): string {
  return type instanceof z.ZodLiteral ? `${String(type.value)} ` : '';
}

function optionIn(schema: unknown): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new Error('settings are an object, or one of several');
}

describe.each(kinds.map((kind) => ({ ...kind, title: kind.resource.titles[1] })))('of $title', (kind) => {
  const { resource, entityType, samples } = kind;

  it('each setting that the schema has is stored, exported and applied', () => {
    for (const sample of samples) {
      const expected = expectedOf(resource, sample);
      expect(settingsOf(stored, entityType, sample.name), sample.name).toEqual(expected);
      expect(settingsOf(copied, entityType, sample.name), sample.name).toEqual(expected);
    }
  });

  it('each setting that the schema has is in a sample', () => {
    const { schema } = resource;
    const isUnion = schema instanceof z.ZodDiscriminatedUnion;
    const found = new Set(
      samples.flatMap((sample) =>
        Object.keys(sample).map((name) => (isUnion ? `${String(sample['type'])} ${name}` : name)),
      ),
    );
    expect(settingNames(schema).filter((name) => !found.has(name))).toEqual([]);
  });
});
