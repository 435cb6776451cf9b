import { z } from 'zod';

/** An error of a document. */
export interface DocumentError {
  readonly line: number;
  readonly message: string;
}

/** Characters of a message: it may repeat a value of the document. */
const messageLengthAtMost = 300;

/** As errors of libxml2 have them: 1 is a warning. */
const detailsSchema = z.object({
  details: z.array(z.object({ message: z.string(), level: z.number(), line: z.number() })),
});

/** What libxml2 has found. @throws the error itself if it is none of libxml2 */
export function documentErrors(error: unknown): DocumentError[] {
  const { data } = detailsSchema.safeParse(error);
  if (!data) throw error;
  return data.details.filter(({ level }) => level > 1).map(({ message, line }) => ({ line, message: plain(message) }));
}

/** libxml2 has no words left when it is out of memory. */
function plain(message: string): string {
  const text = message.trim().replaceAll(/\p{Control}+/gu, ' ');
  if (text === '') return 'the document needs more memory than is permitted';
  return text.length > messageLengthAtMost ? `${text.slice(0, messageLengthAtMost).toWellFormed()}…` : text;
}
