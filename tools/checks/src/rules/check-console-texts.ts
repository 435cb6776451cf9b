import { type Node, parseSync } from 'oxc-parser';
import { shownStrings } from './shown-strings.ts';
import { type Finding, lineAt, type SourceFile } from './source-file.ts';

const sourceFiles = /^packages\/console\/src\/.*\.tsx?$/;

/** The catalogue, and tests, which compare with its texts. */
const freeFiles = /(\/src\/texts\/.+\.ts|\.test\.tsx?)$/;

/** Attributes of elements, and properties of columns and the like, whose strings are read to a user. */
const shownNames = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'cell',
  'description',
  'empty',
  'heading',
  'help',
  'hint',
  'label',
  'message',
  'placeholder',
  'title',
]);

/** Every text that the console shows stands in its catalogue, so that a translation misses none. */
export function checkConsoleTexts(tree: readonly SourceFile[]): Finding[] {
  return tree.filter(({ path }) => sourceFiles.test(path) && !freeFiles.test(path)).flatMap(textsOutside);
}

function textsOutside({ path, text }: SourceFile): Finding[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  return nodesBelow(program)
    .flatMap(shownBy)
    .toSorted((one, other) => one.start - other.start)
    .map(({ start }) => ({ path, line: lineAt(text, start), message: 'a text outside the catalogue of the console' }));
}

/** The strings that a node of the syntax tree itself shows; those of nodes below it are found there. */
function shownBy(node: Node): Node[] {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return node.children.flatMap(shownStrings);
    case 'JSXAttribute':
      return node.name.type === 'JSXIdentifier' && shownNames.has(node.name.name) && node.value !== null
        ? shownStrings(node.value)
        : [];
    case 'Property':
      return isShown(node.key) ? shownStrings(node.value) : [];
    case 'AssignmentExpression':
      return node.left.type === 'MemberExpression' && isShown(node.left.property) ? shownStrings(node.right) : [];
    default:
      return [];
  }
}

function isShown(key: Node): boolean {
  if (key.type === 'Identifier') return shownNames.has(key.name);
  return key.type === 'Literal' && typeof key.value === 'string' && shownNames.has(key.value);
}

function nodesBelow(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesBelow);
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(nodesBelow);
  return isNode(value) ? [value, ...below] : below;
}

function isNode(value: object): value is Node {
  return 'type' in value && 'start' in value;
}
