import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { PasswordOrigin, PasswordOrigins } from '@waybill/directory/apply/prepare-password-hashes';
import { type FindFaults, parseStructureAnd } from '@waybill/directory/checks/check-document';
import { interpolate, type InterpolationOptions } from './interpolate.ts';
import { parseDocument } from './parse-document.ts';

/** A document of the configuration, as it is sent to a platform. */
export interface GivenDocument {
  /** The source that the document has to name, or gets if it names none. */
  readonly source?: string | undefined;
  /** The name of its file, for people. */
  readonly file: string;
  /** In YAML or JSON. */
  readonly document: string;
  /** The values of `${NAME}`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables whose values count as defaults. */
  readonly defaults: readonly string[];
}

/** A configuration without checked references. */
export interface ReadDocument {
  readonly configuration: PlatformConfiguration;
  /** Every text with the value of a variable. */
  readonly filled: ReadonlySet<string>;
  readonly passwordOrigins: PasswordOrigins;
}

/** How a document is read. */
export interface ReadingOptions extends Pick<InterpolationOptions, 'charactersAtMost'> {
  readonly findFaults?: FindFaults;
}

/**
 * Reads a document whose variables come with it: nothing of this process is inserted. A password from a default sets the
 * first password of a user; any other one is set if it differs from the last configured one. `use` works with it.
 * @throws CodedError `configuration_invalid`, also of `use`; its fields are places with their lines and columns if the document is
 * YAML, without values except wrong names; `configuration_too_large` if texts with variables have more than `charactersAtMost`
 */
export async function usingDocument<Result>(
  given: GivenDocument,
  use: (read: ReadDocument) => Promise<Result>,
  options: ReadingOptions = {},
): Promise<Result> {
  const { value, positionOf } = parseDocument(given.document, given.file);
  try {
    return await use(await readValue(value, given, options));
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    const fields = error.fields.map((field) => ({ ...field, ...positionOf(field.field, field.index) }));
    throw new CodedError('configuration_invalid', { detail: error.message, names: error.names, fields, cause: error });
  }
}

async function readValue(
  value: unknown,
  { source, variables, defaults }: GivenDocument,
  { charactersAtMost, findFaults = async () => [] }: ReadingOptions,
): Promise<ReadDocument> {
  const filled = new Set<string>();
  const origins = new Map<string, PasswordOrigin>();
  const inserted = interpolate(value, variables, {
    readsFiles: false,
    ...(charactersAtMost !== undefined && { charactersAtMost }),
    onFilled: (text) => filled.add(text),
    sources: {
      defaults: new Set(defaults),
      used: (place, isDefault) => isDefault && origins.set(place, 'default'),
      referred: () => {},
    },
  });
  const configuration = await parseStructureAnd(findFaults, withSource(inserted, source));
  return { configuration, filled, passwordOrigins: { ...originsIn(configuration, origins), kept: () => {} } };
}

/** The origins of passwords by users, from those by places. */
export function originsIn(
  { managerUsers, actors }: PlatformConfiguration,
  places: ReadonlyMap<string, PasswordOrigin>,
): Pick<PasswordOrigins, 'manager' | 'partner'> {
  const originsOf = (users: readonly { name: string }[], list: string): [string, PasswordOrigin][] =>
    users.flatMap(({ name }, index) => {
      const origin = places.get(`${list}[${index}].password`);
      return origin === undefined ? [] : [[name, origin]];
    });
  return {
    manager: new Map(originsOf(managerUsers, 'managerUsers')),
    partner: new Map(actors.flatMap(({ users }, index) => originsOf(users, `actors[${index}].users`))),
  };
}

function withSource(value: unknown, source: string | undefined): unknown {
  if (source === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const named: unknown = Reflect.get(value, 'source');
  if (named === undefined) return { ...value, source };
  if (named === source) return value;
  const message = `is ${JSON.stringify(named)}, but the request is for the source ${source}`;
  throw new CodedError('configuration_invalid', {
    detail: `source ${message}`,
    fields: [{ field: 'source', message }],
  });
}
