import { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';

/** The calls that expressions may use; all others are refused, also those that the library has. */
export const allowedFunctions: ReadonlySet<string> = new Set([
  'size',
  'string',
  'int',
  'uint',
  'double',
  'bool',
  'dyn',
  'type',
  'has',
  'timestamp',
  'duration',
  'formatTime',
]);

/** The same of calls on a value. */
export const allowedMethods: ReadonlySet<string> = new Set([
  'size',
  'startsWith',
  'endsWith',
  'contains',
  'matches',
  'lowerAscii',
  'upperAscii',
  'trim',
  'replace',
  'indexOf',
  'lastIndexOf',
  'substring',
  'split',
  'join',
  'all',
  'exists',
  'exists_one',
  'map',
  'filter',
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
]);

/** The macros that evaluate their last arguments once for each member of a list. */
export const loopMacros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** What `matches` is called when an expression runs: the library would use RegExp, which can take for ever. */
export const safeMatches = 'matchesRe2';

/** Limits of one expression. */
export const expressionLimits = {
  characters: 4_096,
  nodes: 500,
  depth: 32,
  patternCharacters: 1_024,
} as const;

/** An environment with the functions of expressions, and no variables. */
export function celEnvironment(limits: { nodes: number; depth: number }): Environment {
  return new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: limits.nodes, maxDepth: limits.depth },
  })
    .registerFunction('string.replace(string, string): string', replaceAll)
    .registerFunction(`string.${safeMatches}(string): bool`, matchesRe2)
    .registerFunction('formatTime(google.protobuf.Timestamp, string): string', (time: Date, pattern: string) =>
      formatTime(time, pattern, 'UTC'),
    )
    .registerFunction('formatTime(google.protobuf.Timestamp, string, string): string', formatTime);
}

function replaceAll(text: string, search: string, replacement: string): string {
  return text.replaceAll(search, () => replacement);
}

/** RE2 takes time in proportion to the text. */
function matchesRe2(text: string, pattern: string): boolean {
  if (pattern.length > expressionLimits.patternCharacters) {
    throw new Error(`a pattern has at most ${expressionLimits.patternCharacters} characters`);
  }
  return RE2JS.compile(pattern).matcher(text).find();
}

/** The time by the clock of a time zone: `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` and `SSS` stand for its parts. */
function formatTime(time: Date, pattern: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
  const parts = new Map<string, string>(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const values: Readonly<Record<string, string | undefined>> = {
    yyyy: parts.get('year')?.padStart(4, '0'),
    MM: parts.get('month'),
    dd: parts.get('day'),
    HH: parts.get('hour'),
    mm: parts.get('minute'),
    ss: parts.get('second'),
    SSS: parts.get('fractionalSecond'),
  };
  return pattern.replaceAll(/yyyy|MM|dd|HH|mm|ss|SSS/gu, (field) => values[field] ?? field);
}
