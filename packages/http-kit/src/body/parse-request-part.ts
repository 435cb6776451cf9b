import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainRequestIssue } from '@waybill/contracts/errors/explain-issue';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { placeOf } from '@waybill/contracts/errors/place-of';
import { z } from 'zod';

type UnknownNames = Pick<z.core.$ZodIssueUnrecognizedKeys, 'keys' | 'path'>;
type FieldError = CodedError['fields'][number];

const subjects = { address: 'The address', query: 'The query', headers: 'The head', body: 'The body' } as const;

/**
 * Validates one part of a request; without a schema the result is empty.
 * @throws CodedError `validation_failed`, naming every field that is wrong
 */
export function parseRequestPart(part: keyof typeof subjects, schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, { error: explainRequestIssue });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const described = issues.slice(0, listedAtMost.issues).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? unknownFields(part, issue, schema)
      : [
          {
            field: placeOf(issue.path),
            message: isRepeated(part, issue, value) ? repeated : issue.message,
          },
        ],
  );
  const more = issues.length - listedAtMost.issues;
  const fields = more > 0 ? [...described, { field: '', message: `has ${more} more errors` }] : described;
  const summary = fields
    .map(({ field, message }) => (field === '' ? `${subjects[part]} ${message}` : `${field}: ${message}`))
    .join('; ');
  throw new CodedError('validation_failed', { detail: summary, fields });
}

/** How many errors a response lists, how many unknown names of each object, and how much of each: a body may have a great many. */
const listedAtMost = { issues: 200, names: 20, characters: 100 } as const;

const repeated = 'occurs more than once';

function unknownFields(part: keyof typeof subjects, { keys, path }: UnknownNames, schema: z.ZodType): FieldError[] {
  const holder = path.reduce<unknown>(memberOf, schema);
  const known = Object.keys(shapeOf(holder));
  const listed = keys.slice(0, listedAtMost.names).map((name) => ({
    field: placeOf([...path, shortened(name)]),
    message: `is not a ${part === 'query' ? 'parameter' : 'field'} of this request${suggestion(name, known)}`,
  }));
  const more = keys.length - listed.length;
  return more > 0 ? [...listed, { field: placeOf(path), message: `has ${more} more unknown names` }] : listed;
}

/** Whether a query has the parameter more than once. */
function isRepeated(part: keyof typeof subjects, { path }: z.core.$ZodIssue, value: unknown): boolean {
  const [name, ...rest] = path;
  if (part !== 'query' || name === undefined || rest.length > 0) return false;
  return typeof value === 'object' && value !== null && Array.isArray(Reflect.get(value, name));
}

/** What is at a step of a path in a schema. */
function memberOf(outer: unknown, key: PropertyKey): unknown {
  if (outer instanceof z.ZodOptional || outer instanceof z.ZodDefault) return memberOf(outer.unwrap(), key);
  return outer instanceof z.ZodArray ? outer.element : shapeOf(outer)[String(key)];
}

/** The members of an object; none if it is something else. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return shapeOf(schema.unwrap());
  return schema instanceof z.ZodObject ? schema.shape : {};
}

function shortened(name: string): string {
  if (name === '') return '""';
  return name.length > listedAtMost.characters ? `${name.slice(0, listedAtMost.characters)}…` : name;
}
