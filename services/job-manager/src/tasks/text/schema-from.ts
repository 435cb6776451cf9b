import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { documentErrors } from './document-errors.ts';
import { type Libxml, optionsOf } from './load-libxml.ts';
import type { SchemaFile } from './xml-order.ts';

const locations = '//xs:include/@schemaLocation | //xs:import/@schemaLocation | //xs:redefine/@schemaLocation';
const namespaces = { xs: 'http://www.w3.org/2001/XMLSchema' };

/**
 * Reads a schema with what it includes. Files are found by their last names among those that are given, whatever the place in
 * the schema is. libxml2 passes over an import that it cannot load, and would then check less: such a schema is refused.
 * @throws CodedError `validation_failed`
 */
export function schemaFrom(libxml: Libxml, schema: SchemaFile, includes: readonly SchemaFile[]): XsdValidator {
  const files = new Map(includes.map((file) => [file.name, Buffer.from(file.content, 'base64')]));
  if (files.size < includes.length) throw failure(schema.name, 'two included files have the same name');
  for (const file of [schema, ...includes]) assertLocations(libxml, file, new Set(files.keys()));
  const { XmlBufferInputProvider, XsdValidator, xmlCleanupInputProvider, xmlRegisterInputProvider } = libxml;
  const provider = new XmlBufferInputProvider(Object.fromEntries(files));
  xmlRegisterInputProvider({
    match: (place) => provider.match(lastName(place)),
    open: (place) => provider.open(lastName(place)),
    read: (file, buffer) => provider.read(file, buffer),
    close: (file) => provider.close(file),
  });
  try {
    return XsdValidator.fromDoc(parsed(libxml, schema));
  } catch (error) {
    throw failure(schema.name, firstError(error));
  } finally {
    // A document cannot have schemas loaded by `xsi:schemaLocation`.
    xmlCleanupInputProvider();
  }
}

function assertLocations(libxml: Libxml, file: SchemaFile, known: ReadonlySet<string>): void {
  const document = parsed(libxml, file);
  for (const node of document.find(locations, namespaces)) {
    const place = node.content;
    if (!known.has(lastName(place))) {
      throw failure(file.name, `it needs ${JSON.stringify(place.slice(0, 200))}, which \`includes\` does not name`);
    }
  }
  document.dispose();
}

function parsed(libxml: Libxml, { name, content }: SchemaFile): XmlDocument {
  try {
    return libxml.XmlDocument.fromBuffer(Buffer.from(content, 'base64'), { option: optionsOf(libxml) });
  } catch (error) {
    throw failure(name, firstError(error));
  }
}

function lastName(place: string): string {
  return place.slice(place.lastIndexOf('/') + 1);
}

function firstError(error: unknown): string {
  const [first] = documentErrors(error);
  return first ? `line ${first.line}: ${first.message}` : 'it is no schema';
}

function failure(name: string, reason: string): CodedError {
  return new CodedError('validation_failed', {
    detail: `the schema ${JSON.stringify(name)} cannot be used: ${reason}`,
  });
}
