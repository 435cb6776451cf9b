import { z } from 'zod';

/** A JSON Schema in a document. */
export type JsonSchema = Record<string, unknown>;

/** Renders schemas and collects those with an id, so that each is written once and referenced elsewhere. */
export interface OpenapiSchemas {
  /** `input`: the form of requests; `output`: the form of responses. */
  render(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
  /** The content of `components.schemas`. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** An empty collection. */
export function createOpenapiSchemas(): OpenapiSchemas {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    render: (schema, io) => {
      const rendered = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
      const { $schema: _dialect, $defs = {}, id, ...inline } = withMovedReferences(rendered) as JsonSchema;
      for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
        const { id: _id, ...body } = definition;
        components[name] = body;
      }
      if (typeof id !== 'string') return inline;
      components[id] = inline;
      return { $ref: `#/components/schemas/${id}` };
    },
  };
}

function withMovedReferences(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
