import { CodedError } from '@waybill/contracts/errors/coded-error';
import { levelsAtMost } from '@waybill/service-kit/nesting';

/**
 * The most bytes of JSON outside of its texts. A larger body consists of a long text; as many small values would take hundreds of
 * megabytes and seconds.
 */
const structureBytesAtMost = 1024 * 1024;

const byte = {
  quote: 0x22,
  comma: 0x2c,
  backslash: 0x5c,
  openingBracket: 0x5b,
  closingBracket: 0x5d,
  openingBrace: 0x7b,
  closingBrace: 0x7d,
} as const;

/**
 * By what JSON is too large: `payload_too_large`, or `malformed_body` if it is nested too deeply. It is found in the bytes, in one
 * pass, before anything is parsed: to parse and to check many values takes long. What is no JSON is measured as if it were.
 */
export function excessOfJson(bytes: Buffer, valuesAtMost: number): CodedError | undefined {
  // `isOpened`: a list or an object has begun, and may be empty.
  let [outside, values, levels, isOpened] = [0, 1, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const read = bytes[at] ?? 0;
    outside += 1;
    if (outside > structureBytesAtMost) return tooLarge(`${structureBytesAtMost} bytes outside of its texts`);
    if (isBlank(read)) continue;
    const isClosing = read === byte.closingBracket || read === byte.closingBrace;
    if (read === byte.comma || (isOpened && !isClosing)) values += 1;
    if (values > valuesAtMost) return tooLarge(`${valuesAtMost} values`);
    isOpened = read === byte.openingBracket || read === byte.openingBrace;
    if (isOpened) levels += 1;
    else if (isClosing) levels -= 1;
    if (levels > levelsAtMost) return tooDeep();
    if (read !== byte.quote) continue;
    at = endOfText(bytes, at);
    outside += 1;
  }
  return undefined;
}

/** Where the text ends that begins at a quote: at its other quote, or with the bytes. */
function endOfText(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== byte.quote) at += bytes[at] === byte.backslash ? 2 : 1;
  return at;
}

/** Of JSON (RFC 8259 section 2): the blank, and what breaks lines or indents. */
function isBlank(read: number): boolean {
  return read === 0x20 || read === 0x0a || read === 0x0d || read === 0x09;
}

function tooLarge(limit: string): CodedError {
  return new CodedError('payload_too_large', { detail: `The body may have at most ${limit}` });
}

function tooDeep(): CodedError {
  return new CodedError('malformed_body', { detail: `The body is nested in more than ${levelsAtMost} levels` });
}
