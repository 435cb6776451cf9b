import { posix } from 'node:path';
import { type Finding, lineAt, type SourceFile } from './source-file.ts';

/**
 * Checks that every link of a Markdown page within the repository leads to an existing file or folder, and to an
 * existing heading.
 */
export function checkLinks(tree: readonly SourceFile[]): Finding[] {
  const pages = new Map(tree.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, prose(text)]));
  const places = new Set(tree.flatMap(({ path }) => withFolders(path)));
  const headings = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]));
  return [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\((?<target>[^)\s]+)\)/gu)].flatMap(({ index, groups }) => {
      const { target = '' } = groups ?? {};
      if (/^[a-z]+:/u.test(target)) return [];
      const [file = '', anchor] = target.split('#', 2);
      const place = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/u, '');
      const isThere = places.has(place) && (anchor === undefined || headings.get(place)?.has(anchor) === true);
      return isThere ? [] : [{ path, line: lineAt(text, index), message: `the link leads nowhere: ${target}` }];
    }),
  );
}

/** The text with everything between fences blanked, lines kept: links in it are ignored. */
function prose(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gmu, (block) => block.replaceAll(/[^\n]/gu, ' '));
}

function withFolders(path: string): string[] {
  const steps = path.split('/');
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

/** As GitHub derives them from headings: in lower case, without punctuation, with dashes for spaces. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = [...text.matchAll(/^#{1,6} +(?<heading>.+)$/gmu)].map(({ groups }) => {
    const heading = (groups?.['heading'] ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1').trim();
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  return new Set(anchors);
}
