import type { TaskMeta } from 'vitest';
import { capabilities } from './capabilities.ts';
import type { Particular } from './page-entry.ts';
import { transferClients } from './transfer-clients.ts';

/** What the runner says of one test, and what the test has to say. */
export interface TestOutcome {
  readonly meta: TaskMeta;
  readonly hasPassed: boolean;
}

interface PageFacts {
  readonly tests: readonly TestOutcome[];
  /** By the name of the client. */
  readonly versions: ReadonlyMap<string, string>;
}

/** The page of compatibility, in Markdown. */
export function renderPage({ tests, versions }: PageFacts): string {
  return `${[
    '# Clients',
    introduction,
    renderVersions(versions),
    '## What works',
    renderTable(tests),
    renderNotTried(tests),
    '## What a client does not offer',
    renderNotOffered(tests),
    '## Beyond the table',
    renderParticulars(tests),
    '## What to know',
    renderRemarks(),
    '## What a refusal looks like',
    renderRefusals(tests),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

const introduction = `\`npm run test:clients\` writes this page. It runs each client in Debian's version against a platform of \`npm start\`, and compares every file by its SHA-256,
over HTTP if the client has sent it. **yes**: it works. **–**: the client does not support it; the reason is below, and the run verifies
it with the client's own output. **FAILS**: it does not work. A connection that is interrupted in the middle of a file,
and one that counts its bytes, show that data is not transferred twice.`;

function renderVersions(versions: ReadonlyMap<string, string>): string {
  return [...versions].map(([name, version]) => `- ${name} ${version}`).join('\n');
}

function renderTable(tests: readonly TestOutcome[]): string {
  const names = transferClients.map(({ name }) => name);
  const rows = capabilities.map(({ title }) => [title, ...names.map((name) => wordFor(tests, name, title))]);
  const lines = [['', ...names], ['---', ...names.map(() => '---')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function wordFor(tests: readonly TestOutcome[], client: string, capability: string): string {
  const test = tests.find(
    ({ meta: { waybillCell } }) => waybillCell?.client === client && waybillCell.capability === capability,
  );
  if (test === undefined || !test.hasPassed) return '**FAILS**';
  if (test.meta.waybillCell?.notOffered !== undefined) return '–';
  return test.meta.waybillCell?.notTried === undefined ? 'yes' : 'not tried';
}

function renderNotTried(tests: readonly TestOutcome[]): string {
  const lines = tests.flatMap(({ meta: { waybillCell: cell } }) =>
    cell?.notTried === undefined ? [] : [`- ${cell.client} was not tried: ${cell.notTried}.`],
  );
  return [...new Set(lines)].join('\n');
}

function renderNotOffered(tests: readonly TestOutcome[]): string {
  return transferClients
    .flatMap(({ name }) => {
      const byReason = new Map<string, string[]>();
      for (const { meta } of tests) {
        const cell = meta.waybillCell;
        if (cell?.client !== name || cell.notOffered === undefined) continue;
        byReason.set(cell.notOffered, [...(byReason.get(cell.notOffered) ?? []), cell.capability]);
      }
      return [...byReason].map(([reason, titles]) => `- **${name}** (${titles.join('; ')}): ${reason}.`);
    })
    .join('\n');
}

function renderRemarks(): string {
  return transferClients
    .flatMap(({ name, remark }) => (remark === undefined ? [] : [`- **${name}**: ${remark}`]))
    .join('\n');
}

function renderParticulars(tests: readonly TestOutcome[]): string {
  return tests
    .flatMap(({ meta: { waybillParticular: particular }, hasPassed }) =>
      particular === undefined
        ? []
        : [`- **${particular.client}**: ${particular.title}: ${verdictOf(particular, hasPassed)}.`],
    )
    .join('\n');
}

function verdictOf({ notTried }: Particular, hasPassed: boolean): string {
  if (!hasPassed) return '**FAILS**';
  return notTried === undefined ? 'yes' : `not tried: ${notTried}`;
}

function renderRefusals(tests: readonly TestOutcome[]): string {
  const refusals = tests.flatMap(({ meta: { waybillRefusal: refusal } }) => (refusal === undefined ? [] : [refusal]));
  return [...Map.groupBy(refusals, ({ what }) => what)]
    .map(([what, all]) => `${what}:\n\n${all.map(({ by, text }) => `- **${by}**: ${inline(text)}`).join('\n')}`)
    .join('\n\n');
}

function inline(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('\n', ' / ')}\``;
}
