import { z } from 'zod';
import { soundTextSchema } from './sound-text.ts';

/** Characters (code points) that a name may have. */
const longestName = 255;

/**
 * Characters of a text that can become a name: normalising shortens it to a quarter at most. Longer texts are not
 * normalised, because that takes seconds for 100 000 combining marks.
 */
const longestText = 4 * longestName;

/**
 * The last character of the replacement for a text that cannot be a name. The configuration refuses it in names of
 * users.
 */
const replacement = '\uFFFD';

/**
 * The name of a user as it is stored, counted and compared: in NFC, of 1 to 255 characters of well-formed Unicode,
 * without control characters. Every service parses names with this schema, so that two spellings of a name are the
 * same user everywhere.
 */
export const userNameSchema = z
  .string()
  .max(longestText, { abort: true })
  .refine((text) => text.isWellFormed(), { error: 'must be well-formed Unicode', abort: true })
  .normalize('NFC')
  .min(1)
  .max(longestName)
  .regex(/^\P{Cc}*$/u, 'has no control characters')
  .brand<'UserName'>();

/** The name of a user, in NFC. Only `userNameSchema` and `attemptedUserName` create one. */
export type UserName = z.infer<typeof userNameSchema>;

/**
 * The name that a client tries to log in with. A text that cannot be a name is not an error, which would reveal the
 * form of names: it becomes a printable name that no user has.
 */
export function attemptedUserName(text: string): UserName {
  const parsed = userNameSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  const printable = text
    .slice(0, longestText)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, replacement)
    .normalize('NFC');
  const shown = printable.slice(0, longestName - 1).toWellFormed();
  return userNameSchema.parse(shown.includes(replacement) ? shown : shown + replacement);
}

/** The name of a user in a path or a filter. It may be a name that no user can have: then nothing is found. */
export const attemptedUserNameSchema = soundTextSchema.min(1).max(longestName).transform(attemptedUserName);
