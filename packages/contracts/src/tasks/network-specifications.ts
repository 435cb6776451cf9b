import { z } from 'zod';
import { connectionParameter } from './entity-reference.ts';
import { decimalOutput, pathFor, type TaskSpecification } from './task-specification.ts';

const httpConnection = connectionParameter('http');
const requestPath = z.string().max(8_192).default('').describe('Below the address of the connection; may have a query');

/** Headers as an object, or as text with a line for each: `Name: value`. */
const headersParameter = z
  .preprocess(
    (value) => (typeof value === 'string' ? headerLines(value) : value),
    z.record(z.string().min(1).max(256), z.string().max(8_192)),
  )
  .default({})
  .describe('An object, or text with a line `Name: value` for each');

/** Addresses as a list, or as text with commas between them. */
const recipientsParameter = z.preprocess(
  (value) => (typeof value === 'string' ? listedIn(value) : value),
  z.array(z.email().max(320)).max(100),
);

/** `http-request`. */
export const httpRequestSpecification = {
  summary:
    'Sends an HTTP request, signed if the connection has a signing key. Its `Idempotency-Key` is the same for every attempt.',
  parameters: z.strictObject({
    connection: httpConnection,
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET').describe('Method'),
    path: requestPath,
    headers: headersParameter,
    body: z.string().optional().describe('Text to send'),
    source: pathFor('download').optional().describe('File to send, in place of `body`'),
    target: pathFor('upload').optional().describe('File to write the body of the response to'),
    expectedStatus: z
      .string()
      .regex(/^\s*\d{3}(?:\s*-\s*\d{3})?(?:\s*,\s*\d{3}(?:\s*-\s*\d{3})?)*\s*$/u, 'must be like 200-299,404')
      .default('200-299')
      .describe('With any other status the step fails'),
  }),
  outputs: z.object({
    status: z.string().describe('Status of the response; empty if an earlier attempt has stored it'),
    body: z.string().describe('Its first 64 KiB as text, unless there is a `target`'),
    path: z.string().describe('Path of the written file, if there is a `target`'),
    fileset: z.string().describe('Its number'),
    size: z.string().describe('Its bytes'),
    sha256: z.string().describe('Its SHA-256, hexadecimal'),
  }),
} as const satisfies TaskSpecification;

/** `webhook`. */
export const webhookSpecification = {
  summary:
    'Sends an event to a partner as signed JSON, as in Standard Webhooks: `webhook-id` is the same for every attempt. Every status but 2xx fails.',
  parameters: z.strictObject({
    connection: httpConnection,
    path: requestPath,
    event: z
      .string()
      .regex(/^[\w.-]{1,128}$/u, 'has letters, digits, dots, dashes and underscores')
      .describe('Type of the event, such as `file.delivered`'),
    data: z.unknown().optional().describe('Any JSON; a text that is JSON is sent as such'),
  }),
  outputs: z.object({
    id: z.string().describe('The `webhook-id`'),
    status: z.string().describe('Status of the response'),
  }),
} as const satisfies TaskSpecification;

const headerText = z.string().regex(/^[^\p{Cc}]*$/u, 'has no line ends or other control characters');

/** `send-email`. */
export const sendEmailSpecification = {
  summary: 'Sends a mail over SMTP. Its `Message-ID` is the same for every attempt.',
  parameters: z.strictObject({
    connection: connectionParameter('smtp'),
    to: recipientsParameter.refine((list) => list.length > 0, 'names nobody').describe('A list, or text with commas'),
    cc: recipientsParameter.default([]).describe('A list, or text with commas'),
    subject: headerText.min(1).max(500).describe('Subject'),
    text: z.string().max(1_000_000).describe('Text of the mail'),
    attachments: z
      .preprocess(
        (value) => (typeof value === 'string' ? listedIn(value) : value),
        z.array(pathFor('download')).max(50),
      )
      .meta({ rights: ['download'] })
      .default([])
      .describe('Files, at most 25 MiB together: a list, or text with commas'),
  }),
  outputs: z.object({
    messageId: z.string().describe('The `Message-ID`'),
    recipients: decimalOutput.describe('Recipients that the server has accepted'),
  }),
} as const satisfies TaskSpecification;

function listedIn(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A line without a colon becomes a header with an empty name, which is refused. */
function headerLines(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
