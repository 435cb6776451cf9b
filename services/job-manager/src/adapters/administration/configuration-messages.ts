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

/** What the process answers as JSON if it fails. `fault`: an error without a code of ours, but perhaps with one of PostgreSQL or of a socket. */
const failureSchema = z.union([
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

type Failure = z.input<typeof failureSchema>;

/** What an answer with a result begins with. */
const resultPrefix = Buffer.from('{"result":');
/** What every answer ends with: without it, the process has died while it answered. */
const answerSuffix = '}\n';

/** What it reports before it answers: from then on the plan is in force, whatever becomes of the process. */
export const committedSchema = z.object({ committed: z.literal(true) });

/** The answer of a process that has failed. */
export function failedAnswer(error: unknown): Failure {
  if (isCodedError(error)) {
    const { code, message: detail, names, fields } = error;
    return { refusal: { code, detail, names: { ...names }, fields: [...fields] } };
  }
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { fault: { name, message, stack, code } };
}

/** The text of an answer. */
export function writeAnswer(answer: Failure | { readonly result: unknown }): string {
  return `${JSON.stringify(answer)}\n`;
}

/** A whole answer of a process. */
export interface ConfigurationAnswer {
  /**
   * The result as JSON: that of a large plan has tens of megabytes, and is only passed on.
   * @throws CodedError and errors that the process has answered
   */
  result(): Buffer;
}

/** Reads what a process has written; `undefined` if it has died before the end. */
export function readAnswer(written: Buffer): ConfigurationAnswer | undefined {
  if (written.subarray(-answerSuffix.length).toString() !== answerSuffix) return undefined;
  return {
    result: () => {
      const isResult = written.subarray(0, resultPrefix.length).equals(resultPrefix);
      if (!isResult) throw failureIn(written.toString());
      return written.subarray(resultPrefix.length, -answerSuffix.length);
    },
  };
}

function failureIn(text: string): Error {
  const failure = failureSchema.parse(JSON.parse(text));
  if ('fault' in failure) return Object.assign(new Error(failure.fault.message), failure.fault);
  const { code, ...refusal } = failure.refusal;
  return new CodedError(code, refusal);
}
