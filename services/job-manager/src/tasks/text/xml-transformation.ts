import { Readable } from 'node:stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { XmlDocument } from 'libxml2-wasm';
import type { Transformation } from '../../domain/workflows/computation.ts';
import { serveTransformation } from '../serve-transformation.ts';
import { type DocumentError, documentErrors } from './document-errors.ts';
import { type Libxml, loadLibxml, optionsOf } from './load-libxml.ts';
import { schemaFrom } from './schema-from.ts';
import { readXmlOrder, type XmlOrder } from './xml-order.ts';

serveTransformation(begin);

/** Errors that become outputs. */
const listedAtMost = 20;

/** The output is a report with one JSON object for each error. */
async function begin(
  parameters: Readonly<Record<string, string>>,
  input: AsyncIterable<Uint8Array>,
): Promise<Transformation> {
  const order = readXmlOrder(parameters);
  const libxml = await loadLibxml();
  const schema = order.schema && schemaFrom(libxml, order.schema, order.includes);
  const source = await readAll(input, order.bytesAtMost);
  const { root, errors } = check(libxml, source, order, (document) => schema?.validate(document));
  const lines = errors.slice(0, order.errorsAtMost).map((error) => Buffer.from(`${JSON.stringify(error)}\n`));
  return {
    output: Readable.from(lines),
    result: () =>
      Promise.resolve({
        root: root?.name ?? '',
        namespace: root?.namespace ?? '',
        errorCount: String(errors.length),
        errors: JSON.stringify(errors.slice(0, listedAtMost).map(({ line, message }) => `line ${line}: ${message}`)),
      }),
  };
}

interface Checked {
  readonly root?: { readonly name: string; readonly namespace: string };
  readonly errors: readonly DocumentError[];
}

function check(
  libxml: Libxml,
  source: Uint8Array,
  { allowsDoctype }: XmlOrder,
  validate: (document: XmlDocument) => void,
): Checked {
  let root: Checked['root'];
  try {
    const document = libxml.XmlDocument.fromBuffer(source, { option: optionsOf(libxml) });
    root = { name: document.root.name, namespace: document.root.namespaceUri };
    if (document.dtd !== null && !allowsDoctype) {
      return { root, errors: [{ line: 1, message: 'the document has a document type declaration' }] };
    }
    validate(document);
    return { root, errors: [] };
  } catch (error) {
    return { ...(root && { root }), errors: documentErrors(error) };
  }
}

async function readAll(input: AsyncIterable<Uint8Array>, bytesAtMost: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > bytesAtMost) {
      throw new CodedError('validation_failed', { detail: `the document has more than ${bytesAtMost} bytes` });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
