import { CodedError } from '@waybill/contracts/errors/coded-error';
import { isNestedTooDeeply, levelsAtMost } from '@waybill/service-kit/nesting';
import { type Document, LineCounter, parseDocument as parseYaml } from 'yaml';
import { findRepeatedKey } from './find-repeated-key.ts';
import { createLocate, createPositions, type Locate, type PositionOf } from './source-lines.ts';

/** The value of a document, and the lines of its places if it is YAML. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly locate: Locate;
  readonly positionOf: PositionOf;
}

/** Aliases of YAML may repeat what they name so often. */
const maxAliasCount = 100;

/**
 * Parses a document in YAML or JSON. `file` is its name in errors.
 * @throws CodedError `configuration_invalid`, without any text of the document, which could be a password
 */
export function parseDocument(text: string, file: string): ParsedDocument {
  const parsed = asJson(text) ?? asYaml(text, file);
  if (!isNestedTooDeeply(parsed.value)) return parsed;
  throw new CodedError('configuration_invalid', { detail: `${file} is nested in more than ${levelsAtMost} levels` });
}

/** JSON is YAML too; this is faster by far. Without lines: what writes JSON is a program. */
function asJson(text: string): ParsedDocument | undefined {
  if (!/^\s*\{/u.test(text)) return undefined;
  try {
    return { value: JSON.parse(text), locate: (place) => place, positionOf: () => undefined };
  } catch {
    return undefined;
  }
}

/**
 * The parser neither compares keys nor makes excerpts for its errors: that takes time in the square of the length, and an excerpt
 * could show a password.
 */
function asYaml(text: string, file: string): ParsedDocument {
  const lines = new LineCounter();
  const document = withinStack(file, () =>
    parseYaml(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false }),
  );
  const fault = withinStack(file, () => firstFault(document));
  if (fault?.isSecondDocument === true) {
    throw new CodedError('configuration_invalid', { detail: `${file} ${severalDocuments}` });
  }
  if (fault) {
    const { line, col } = lines.linePos(fault.offset);
    refuse(file, `${fault.message} at line ${line}, column ${col}`);
  }
  const value = withinStack(file, (): unknown => document.toJS({ maxAliasCount }));
  const positionOf = createPositions(document, lines);
  return { value, locate: createLocate(positionOf, file), positionOf };
}

const severalDocuments =
  'has several documents, with `---` between them: give one, such as what `waybill export --source <name>` prints';

interface ParserFault {
  readonly message: string;
  readonly offset: number;
  readonly isSecondDocument?: boolean;
}

/** What is wrong first. */
function firstFault(document: Document.Parsed): ParserFault | undefined {
  const [error] = document.errors;
  const repeated = findRepeatedKey(document);
  if (repeated !== undefined && repeated < (error?.pos[0] ?? Infinity)) {
    return { message: 'Map keys must be unique', offset: repeated };
  }
  if (!error) return undefined;
  const isSecondDocument = error.code === 'MULTIPLE_DOCS';
  return { message: error.message.split('\n', 1)[0] ?? '', offset: error.pos[0], isSecondDocument };
}

/** The parser recurs for each level, and throws a ReferenceError at too many aliases. */
function withinStack<Result>(file: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) return refuse(file, 'it is nested too deeply');
    if (error instanceof ReferenceError) return refuse(file, 'its aliases repeat too much');
    throw error;
  }
}

function refuse(file: string, message: string): never {
  throw new CodedError('configuration_invalid', { detail: `${file} is not YAML: ${message}` });
}
