import type { Node } from 'oxc-parser';

const letters = /\p{L}/u;

/** Character references of JSX, such as `&nbsp;`, which are no text although they have letters. */
const characterReference = /&#?\w+;/g;

/**
 * The literal strings with letters that an expression may show as it is: of a literal, a template, a sum, the branches of a
 * condition and the result of a short function. A call is not looked into, as its arguments need not be shown.
 */
export function shownStrings(node: Node): Node[] {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' && letters.test(node.value) ? [node] : [];
    case 'JSXText':
      return letters.test(node.value.replaceAll(characterReference, '')) ? [node] : [];
    case 'TemplateLiteral':
      return node.quasis.some(({ value }) => letters.test(value.raw)) ? [node] : node.expressions.flatMap(shownStrings);
    case 'BinaryExpression':
      return node.operator === '+' ? [node.left, node.right].flatMap(shownStrings) : [];
    case 'LogicalExpression':
      return (node.operator === '&&' ? [node.right] : [node.left, node.right]).flatMap(shownStrings);
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(shownStrings);
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return shownStrings(node.expression);
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement' ? [] : shownStrings(node.body);
    default:
      return [];
  }
}
