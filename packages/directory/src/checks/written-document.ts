import { z } from 'zod';

const list = z.array(z.unknown()).catch([]);
const documentSchema = z.object({ workflowTemplates: list, actors: list }).catch({ workflowTemplates: [], actors: [] });
const actorSchema = z
  .object({ name: z.string().normalize('NFC').optional().catch(undefined), contracts: list })
  .catch({ contracts: [] });

/** The templates and actors of a document, as they are written. */
export function readDocument(document: unknown): z.output<typeof documentSchema> {
  return documentSchema.parse(document);
}

/** The name and the contracts of an actor, as they are written. */
export function readActor(actor: unknown): z.output<typeof actorSchema> {
  return actorSchema.parse(actor);
}
