import { secretReferenceSchema } from '@waybill/contracts/configuration/secret-reference';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { type EntityReference, referenceOf } from '@waybill/contracts/tasks/entity-reference';
import { hasExpression } from '../expressions/template-text.ts';
import { specificationOf } from './check-parameters.ts';
import type { NameableEntities } from './template-context.ts';
import type { TemplateFault, WrittenStep } from './template-fault.ts';

/**
 * Names of client connections and PGP keys that the jobs of an action cannot use, as far as they are known before the job runs,
 * and references to secrets, which stand in connections and keys alone: a step would pass them on as text.
 */
export function checkReferences(
  step: WrittenStep,
  path: TemplateFault['path'],
  entities: NameableEntities | undefined,
): TemplateFault[] {
  const shape: Readonly<Record<string, unknown>> = specificationOf(step.uses)?.parameters.shape ?? {};
  return Object.entries(step.with).flatMap(([name, value]) => {
    const reference = Object.hasOwn(shape, name) ? referenceOf(shape[name]) : undefined;
    if (!reference || !entities) return secretsIn(value, [...path, name]);
    const isName = (text: string): boolean => reference.kind === 'connection' || entities.pgpKeys.has(text);
    return namesIn(value, [...path, name], isName).flatMap(({ text, ...place }) => {
      if (entities.mayExist(referredTypes[reference.kind], text)) return [];
      const message = objectionTo(text, reference, entities);
      return message === undefined ? [] : [{ ...place, message }];
    });
  });
}

const referredTypes = { connection: 'Client Connection', pgpKey: 'PGP Key' } as const;

function objectionTo(
  name: string,
  reference: EntityReference,
  { connections, pgpKeys, title }: NameableEntities,
): string | undefined {
  if (reference.kind === 'connection') {
    const type = connections.get(name);
    if (type !== undefined && reference.types.includes(type)) return undefined;
    if (type !== undefined)
      return `the client connection ${name} has the type ${type}: the task needs ${reference.types.join(' or ')}`;
    const fitting = [...connections].flatMap(([known, of]) => (reference.types.includes(of) ? [known] : []));
    return `${title} has no client connection ${name}${suggestion(name, fitting)}`;
  }
  const hasPrivateKey = pgpKeys.get(name);
  if (hasPrivateKey === undefined) return `${title} has no PGP key ${name}${suggestion(name, pgpKeys.keys())}`;
  if (hasPrivateKey || !reference.hasPrivateKey) return undefined;
  return `the PGP key ${name} has no privateKey: the task needs a key of your own`;
}

const notResolved =
  'a step cannot use a secret: name a client connection or a PGP key, whose settings may refer to secrets';

/** Texts that are a reference to a secret. */
function secretsIn(value: unknown, path: TemplateFault['path']): TemplateFault[] {
  if (typeof value === 'string') {
    return secretReferenceSchema.safeParse(value.trim()).success ? [{ path, message: notResolved }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return members.flatMap(([key, member]) => secretsIn(member, [...path, key]));
}

interface WrittenName {
  readonly text: string;
  readonly path: TemplateFault['path'];
  readonly index?: number;
}

/** A parameter is a name, a list of names, or a text with commas between them, which are allowed in names too. */
function namesIn(value: unknown, path: TemplateFault['path'], isName: (text: string) => boolean): WrittenName[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => namesIn(item, [...path, index], isName));
  if (typeof value !== 'string' || hasExpression(value)) return [];
  if (!value.includes(',') || isName(value)) return named(value, { path });
  return [...value.matchAll(/[^,]+/gu)].flatMap(({ 0: part, index }) => {
    return named(part, { path, index: index + part.length - part.trimStart().length });
  });
}

/** Names are compared in the form in which the configuration has them. */
function named(text: string, place: Omit<WrittenName, 'text'>): WrittenName[] {
  const name = text.trim().normalize('NFC');
  return name === '' ? [] : [{ text: name, ...place }];
}
