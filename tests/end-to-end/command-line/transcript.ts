/** A block of commands of a page, and what the page says that they print. */
export interface ShownBlock {
  readonly commands: string;
  readonly shown: string;
}

const blocks = /^```sh\n(?<commands>.*?)^```\n(?:\n```text\n(?<shown>.*?)^```\n)?/gmsu;

/** The blocks of commands of a page, each with the block of text that follows it. */
export function blocksOf(page: string): ShownBlock[] {
  return [...page.matchAll(blocks)].map(({ groups: { commands = '', shown = '' } = {} }) => ({ commands, shown }));
}

/** The page with what its commands have printed. */
export function withOutputs(page: string, outputs: readonly string[]): string {
  let next = 0;
  return page.replaceAll(blocks, (_block, commands: string) => {
    const output = outputs[next] ?? '';
    next += 1;
    return `\`\`\`sh\n${commands}\`\`\`\n${output === '' ? '' : `\n\`\`\`text\n${output}\`\`\`\n`}`;
  });
}

/** What differs each time, and what a page has in its place. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/gu, '2026-03-02T09:00:00.000Z'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gu, '0198c7a4-5d0e-4c3f-9d43-3f1f1b7a8f10'],
  [/\bFilesetId \d+/gu, 'FilesetId 4'],
  [/\b\d+ records, /gu, '30 records, '],
  // A job may have run before somebody watches it.
  [/^\S+Z +\d+ +SUBMITTED -> RUNNING .*\n/gmu, ''],
  [/\bSUBMITTED -> COMPLETED\b/gu, 'RUNNING -> COMPLETED'],
  // What `waybill status` measures.
  [/\b\d+(?:\.\d+)? ms\b/gu, '2 ms'],
  [/\b\d+(?:\.\d+)? [KMG]iB\b/gu, '64 GiB'],
  [/\d+ of \d+ connections/gu, '20 of 97 connections'],
  [/(?<=^postgresql .* ms +)[\d.]+/gmu, '18.4'],
  [/(?<=^redis .* ms +)[\d.]+/gmu, '7.0.15'],
  [
    /\d+ events not recorded yet, the oldest for \d+ s; \d+ records/gu,
    '0 events not recorded yet, the oldest for 0 s; 5 records',
  ],
  [/(?<=^audit on )\S+ +/gmu, 'node1  '],
];

/** An output as the page has it. `known`: texts of this run, and what the page calls them. */
export function normalised(output: string, known: readonly (readonly [string, string])[]): string {
  const named = known.reduce((text, [from, to]) => text.replaceAll(from, to), output);
  const shown = varying.reduce((text, [pattern, to]) => text.replaceAll(pattern, (found) => padded(to, found)), named);
  const trimmed = shown.replaceAll(/ +$/gmu, '');
  return trimmed === '' || trimmed.endsWith('\n') ? trimmed : `${trimmed}\n`;
}

/** As wide as what it replaces, in the middle of a line of a table. */
function padded(to: string, found: string): string {
  return found.endsWith('\n') || !/(?: ms| )$/u.test(found) ? to : to.padEnd(found.length);
}

/** Lines that are there only if something happens while a command looks: a service has reported, a job ends. */
const passing = /^(?:\S+ on \S+ +up|\S+Z +\d+ +RUNNING -> COMPLETED .*) *\n/gmu;

/** A text without passing lines, and without how far the columns of a table are apart, which the widths of varying texts decide. */
export function compared(text: string): string {
  return text.replaceAll(passing, '').replaceAll(/ {2,}/gu, '  ').replaceAll(/ +$/gmu, '');
}
