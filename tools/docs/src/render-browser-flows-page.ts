import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GeneratedPage } from './generated-page.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = 'tests/console';

/** The chapters, with the beginnings of the paths of their tests, which are also names of folders. */
const chapters = [
  ['Partners: files', 'partners'],
  ['Operators: console', 'operators'],
  ['Languages of both', 'languages'],
  ['Large folders, long lists, uploads that survive', 'large'],
] as const;

const introduction = `# Flows that are tested in a browser

Each line is a test that Chromium runs against a real platform, in \`npm test\`. All of them also fail after an error in the
console of any page of the browser, or a violation of the content security policy. [Files in a browser](console.md) describes the pages.
`;

/** The page of all tests of the web applications. */
export function renderBrowserFlowsPage(): GeneratedPage {
  const files = ['.', ...chapters.map(([, name]) => name)]
    .flatMap((name) =>
      readdirSync(join(root, folder, name), { encoding: 'utf8', recursive: name !== '.' }).map((file) =>
        posix.join(name, file),
      ),
    )
    .filter((file) => file.endsWith('.ts'))
    .toSorted();
  const parts = chapters.map(([title, name]) => {
    const sections = files.filter((file) => file.startsWith(name)).map(sectionOf);
    return `\n## ${title}\n${sections.join('')}`;
  });
  return { path: 'docs/browser-flows.md', text: introduction + parts.join('') };
}

function sectionOf(file: string): string {
  const flows = flowsIn(readFileSync(join(root, folder, file), 'utf8'));
  if (flows.length === 0) return '';
  const lines = flows.map((flow) => `- ${flow}\n`);
  return `\n[\`${file}\`](../${folder}/${file}):\n\n${lines.join('')}`;
}

const callPattern = /^( *)(describe|it)(?:\.each\(\[[\s\S]*?\]\))?\(\s*(['`])(.+?)\3/gmu;

/** The titles of the tests in a source text, each after that of the suite around it. */
export function flowsIn(source: string): string[] {
  const suites: { readonly indent: number; readonly title: string }[] = [];
  const flows: string[] = [];
  for (const [, spaces = '', kind, , title = ''] of source.matchAll(callPattern)) {
    while ((suites.at(-1)?.indent ?? -1) >= spaces.length) suites.pop();
    if (kind === 'describe') suites.push({ indent: spaces.length, title });
    else flows.push(sentence([suites.at(-1)?.title, title].filter((part) => part !== undefined).join(' ')));
  }
  return flows;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll('%s', '...');
}
