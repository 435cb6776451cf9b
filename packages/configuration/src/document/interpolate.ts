import { documentLimitBytes } from '@waybill/contracts/endpoints/administration/configuration-views';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import { placeOf } from '@waybill/contracts/errors/place-of';
import { refuseFaults } from '@waybill/directory/checks/check-document';
import { fileVariableOf, readSecretVariable, type Environment } from '@waybill/service-kit/config/secret-source';

/** `$${`, which becomes `${`; `${NAME}` or `${NAME:-default}`; never `${{`, which belongs to workflow expressions. */
const reference = /\$\$\{|\$\{(?!\{)([^}]*)\}/gu;
const variable = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/u;

/** The source of variables, and callbacks about their use. */
export interface ValueSources {
  /** Variables whose values count as defaults. */
  readonly defaults: ReadonlySet<string>;
  /** Called for each reference, with its place, such as `managerUsers[0].password`, and whether its value is a default. */
  used(place: string, isDefault: boolean): void;
  /** Called for each reference, with its variable, and whether the environment has it. */
  referred(place: string, variable: string, isGiven: boolean): void;
}

/** How values are inserted. */
export interface InterpolationOptions {
  /** Called for every string that changed. */
  readonly onFilled?: (value: string) => void;
  readonly sources?: ValueSources | undefined;
  /** Whether `<NAME>_FILE` names a file that has the value: only if the environment is the one of this process. */
  readonly readsFiles?: boolean;
  /** The most characters of all texts together with the inserted values: by default those of the largest document. */
  readonly charactersAtMost?: number;
}

/**
 * Replaces references to the environment in every string of a document: `${NAME}`, and `${NAME:-default}` if the
 * variable may be missing or empty. A variable may also be given as a file, by `<NAME>_FILE`. `$${` is a literal
 * `${`. Keys are not changed.
 * @throws CodedError `configuration_invalid`, naming places and variables, never values; `configuration_too_large` before a text is
 * made that has too many characters
 */
export function interpolate(
  document: unknown,
  env: Environment,
  { onFilled = () => {}, sources, readsFiles = true, charactersAtMost = documentLimitBytes }: InterpolationOptions = {},
): unknown {
  const faults: FieldError[] = [];
  const count = createCount(charactersAtMost);
  const valueOf = valueIn(env, readsFiles);
  const visit = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof value === 'string') {
      count(value);
      const filled = fill(value, valueOf, {
        inserted: count,
        fault: (message) => faults.push({ field: placeOf(path), message }),
        taken: (name, isDefault) => {
          sources?.used(placeOf(path), isDefault || sources.defaults.has(name));
          sources?.referred(placeOf(path), name, !isDefault);
        },
      });
      if (filled !== value) onFilled(filled);
      return filled;
    }
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key])]));
  };
  const filled = visit(document, []);
  refuseFaults(faults);
  return filled;
}

/** Counts characters. @throws CodedError `configuration_too_large` */
function createCount(charactersAtMost: number): (text: string) => void {
  let characters = 0;
  return (text) => {
    characters += text.length;
    if (characters <= charactersAtMost) return;
    const detail = `The configuration has more than ${charactersAtMost} characters with the values of its variables`;
    throw new CodedError('configuration_too_large', { detail });
  };
}

interface Listener {
  /** Called for each value before the text is made that has it. */
  inserted(value: string): void;
  fault(message: string): void;
  /** Called with the variable of each reference. */
  taken(name: string, isDefault: boolean): void;
}

/** The value of a variable; `fault` is called if it cannot be read. */
type ValueOf = (name: string, fault: Listener['fault']) => string | undefined;

function fill(text: string, valueOf: ValueOf, { inserted, fault, taken }: Listener): string {
  const insert = (value: string): string => {
    inserted(value);
    return value;
  };
  return text.replaceAll(reference, (match: string, inner: string | undefined) => {
    if (inner === undefined) return '${';
    const [, name, fallback] = variable.exec(inner) ?? [];
    if (name === undefined) {
      fault(
        '`${...}` contains no variable: write `${NAME}` or `${NAME:-default}`, and `$${` for the literal characters',
      );
      return match;
    }
    // The end of the inner reference would be read as the end of the outer one.
    if (fallback?.includes('${')) {
      fault(`the default of ${name} is another reference: a default must be a text`);
      return match;
    }
    const value = valueOf(name, fault);
    const isGiven = value !== undefined && (value !== '' || fallback === undefined);
    taken(name, !isGiven);
    if (isGiven) return insert(value);
    if (fallback !== undefined) return insert(fallback);
    fault(`environment variable ${name} is not set`);
    return match;
  });
}

/** The values of an environment; a file that `<NAME>_FILE` names has the value of `<NAME>`. */
function valueIn(env: Environment, readsFiles: boolean): ValueOf {
  const own = (name: string): string | undefined => (Object.hasOwn(env, name) ? env[name] : undefined);
  if (!readsFiles) return own;
  return (name, fault) => {
    if ((env[fileVariableOf(name)] ?? '') === '') return own(name);
    const source = readSecretVariable(env, name);
    if (source === undefined || 'value' in source) return source?.value;
    fault(`${source.variable} ${source.fault}`);
    return '';
  };
}
