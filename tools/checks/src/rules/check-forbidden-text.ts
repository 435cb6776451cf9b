import { type Finding, lineAt, type SourceFile } from './source-file.ts';

interface ForbiddenText {
  readonly pattern: RegExp;
  readonly message: string;
  /** Files that the rule ignores. */
  readonly except?: RegExp;
}

/** Text that no file may contain. The patterns are spelt so that they do not match themselves. */
const forbiddenTexts: readonly ForbiddenText[] = [
  { pattern: /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/g, message: 'unfinished work is finished or left out' },
  { pattern: /(?:ox|es)lint-[d]isable|(?:oxfmt|prettier)-[i]gnore/g, message: 'the tools are not silenced' },
  { pattern: /@ts-(?:[i]gnore|[e]xpect-error|[n]ocheck)/g, message: 'the compiler is not silenced' },
  { pattern: /^(?:<{7}|>{7}) /gm, message: 'a merge was left half done' },
  {
    pattern: /(?<![\w./}-])\/(?:[w]ork|[r]oot|[h]ome)\/[\w.-]+/g,
    message: 'a path of somebody’s machine',
    except: /\.test\.ts$/,
  },
  {
    pattern: /registry\.[n]pmjs\.org|deb\.[d]ebian\.org/g,
    message: 'a registry host belongs to the machine, not here',
  },
  { pattern: /\b(?:describe|it|test)\.(?:[s]kip|[o]nly|[t]odo)\b/g, message: 'every test runs' },
  {
    pattern: /<[b]di\b/g,
    message: 'texts of others are shown with OutsideText',
    except: /^(?!packages\/console\/)|\/outside-text\.tsx$/,
  },
];

/** Searches every file for forbidden text. */
export function checkForbiddenText(tree: readonly SourceFile[]): Finding[] {
  return tree.flatMap(({ path, text }) =>
    forbiddenTexts
      .filter(({ except }) => except?.test(path) !== true)
      .flatMap(({ pattern, message }) =>
        [...text.matchAll(pattern)].map((match) => ({
          path,
          line: lineAt(text, match.index),
          message: `${message}: ${match[0]}`,
        })),
      ),
  );
}
