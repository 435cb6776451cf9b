import { z } from 'zod';
import { isCodedError } from '../errors/coded-error.ts';
import { soundTextSchema } from './sound-text.ts';
import { userNameSchema } from './user-name.ts';
import { parseVirtualPath, type VirtualPath } from './virtual-path.ts';

/**
 * A name in the configuration: 1 to 128 characters, no control characters, no blank at either end; converted to NFC.
 */
export const configuredNameSchema = z
  .string()
  .normalize('NFC')
  // What is empty has no other fault.
  .min(1, { abort: true })
  .max(128)
  .regex(/^[^\p{Cc}]+$/u, 'has no control characters')
  .refine((name) => name === name.trim(), 'has no blank at either end');

/** The name of a user or an actor: a configured name without blanks, slashes and colons. */
export const plainNameSchema = configuredNameSchema.regex(/^[^\s/:]+$/u, 'has no blanks, slashes or colons');

/** The name of a user. It contains no replacement character, which stands in client input that cannot be decoded. */
export const configuredUserNameSchema = plainNameSchema
  .regex(/^[^\uFFFD]+$/u, 'has no replacement character (U+FFFD)')
  .pipe(userNameSchema);

/** A virtual path in the configuration: as `parseVirtualPath` reads it, but absolute and without a trailing slash. */
export const configuredPathSchema = z
  .string()
  .regex(/^\/(?:.*[^/])?$/u, 'must be an absolute path without a trailing slash, such as /outbox')
  .transform((text, context): VirtualPath => {
    try {
      return parseVirtualPath(text);
    } catch (error) {
      if (!isCodedError(error, 'path_invalid')) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });

/** The purpose of an entity, in a few sentences. */
export const descriptionSchema = soundTextSchema.max(2_048).default('');

/**
 * Which names of files match, in a trigger or an expectation. The folder is a field of its own: a pattern with a slash, which
 * could never match a name, is refused.
 */
export const filePatternSchema = z
  .string()
  .normalize('NFC')
  .min(1)
  .max(255)
  .regex(/^[^/\p{Cc}]+$/u, 'must not contain a slash or control characters; the folder belongs in virtualPath')
  .default('*')
  .describe('`*` matches any sequence and is the only wildcard; case-sensitive');

/**
 * Characters that are not seen, or that change how others are seen: format characters such as U+200B and U+202E, those that
 * Unicode lets a renderer ignore, variation selectors, and separators of lines and paragraphs.
 */
const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Zl}\p{Zp}]/u;

/** Names that no address can end with: clients resolve them as steps of the path, also in percent-encoding. */
const dotSegments: ReadonlySet<string> = new Set(['.', '..']);

/**
 * Why a text cannot become a name, because it could not be told from another one, or not be addressed; `undefined`: it can. Names that
 * are stored are not judged by this: they stay valid.
 */
export function objectionToNewName(name: string): string | undefined {
  if (dotSegments.has(name)) return 'cannot stand in an address';
  const [found] = hidden.exec(name) ?? [];
  if (found === undefined) return undefined;
  return `has the character U+${codeOf(found)}, which is not seen`;
}

/** Adds the objection to a new name, if there is one, to the issues of a schema. */
export function refuseUnseen(
  name: string,
  context: { addIssue(issue: { code: 'custom'; message: string }): void },
): void {
  const message = objectionToNewName(name);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}

/** A name in which such characters are seen: as `\u{200B}`. */
export function showHiddenCharacters(name: string): string {
  return name.replaceAll(new RegExp(hidden, 'gu'), (found) => `\\u{${codeOf(found)}}`);
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
