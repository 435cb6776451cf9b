import type { GivenDocument } from '@waybill/configuration/document/read-document';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { errorCodes, type ErrorCode } from '@waybill/contracts/errors/error-codes';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';
import { z } from 'zod';
import type { Administrator } from '../../domain/administration/administration.ts';
import type { Configurations } from '../../domain/administration/configurations.ts';
import type { WrittenAt } from './written-files.ts';

/** What is done with a configuration, and its parameters. */
export type ConfigurationCall =
  | { readonly kind: 'plan'; readonly given: GivenDocument; readonly by: Administrator }
  | { readonly kind: 'apply'; readonly planId: string; readonly by: Administrator }
  | { readonly kind: 'validate'; readonly given: GivenDocument; readonly by: Administrator }
  | { readonly kind: 'export'; readonly wanted: Parameters<Configurations['export']>[0]; readonly by: Administrator };

/** What the process of a configuration is told, in the format of structured clones, because grants contain sets: what to do, and with which database. */
export interface ConfigurationOrder {
  readonly call: ConfigurationCall;
  readonly url: string;
  readonly at: WrittenAt;
  /** Whom the audit log names as the client. */
  readonly client: CausingClient;
}

/** What a configuration may take. */
export interface ConfigurationLimits {
  /** Of the heap of its process. */
  readonly heapMebibytes: number;
  readonly seconds: number;
}

const errorCodeSchema = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);

const fieldSchema = z.object({
  field: z.string(),
  message: z.string(),
  index: z.number().optional(),
  line: z.number().optional(),
  column: z.number().optional(),
});

/** What the process answers, as JSON. `fault`: an error without a code of ours, but perhaps with one of PostgreSQL or of a socket. */
const answerSchema = z.union([
  z.object({ result: z.unknown() }),
  z.object({
    refusal: z.object({
      code: errorCodeSchema,
      detail: z.string(),
      names: z.record(z.string(), z.string()),
      fields: z.array(fieldSchema),
    }),
  }),
  z.object({
    fault: z.object({ name: z.string(), message: z.string(), stack: z.string(), code: z.string().optional() }),
  }),
]);

type Answer = z.input<typeof answerSchema>;

/** What it reports before it answers: from then on the plan is in force, whatever becomes of the process. */
export const committedSchema = z.object({ committed: z.literal(true) });

/** The answer of a process that has failed. */
export function failedAnswer(error: unknown): Answer {
  if (isCodedError(error)) {
    const { code, message: detail, names, fields } = error;
    return { refusal: { code, detail, names: { ...names }, fields: [...fields] } };
  }
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { fault: { name, message, stack, code } };
}

/** Reads the answer of a process. @throws CodedError and errors that it has answered */
export function readAnswer(text: string): unknown {
  const answer = answerSchema.parse(JSON.parse(text));
  if ('refusal' in answer) {
    const { code, ...refusal } = answer.refusal;
    throw new CodedError(code, refusal);
  }
  if ('fault' in answer) throw Object.assign(new Error(answer.fault.message), answer.fault);
  return answer.result;
}
