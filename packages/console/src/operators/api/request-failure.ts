import { type Problem, problemSchema } from '@waybill/contracts/errors/problem';
import { failureText } from '../../texts/failure-texts.ts';
import { texts } from '../texts/texts.ts';

/** A request that failed, with a sentence for people. `status` is 0 if no response arrived. */
export class RequestFailure extends Error {
  readonly status: number;
  /** The error code of the interface, if it has answered. */
  readonly code: Problem['code'] | undefined;
  /** Each field that is wrong, and why. */
  readonly fields: NonNullable<Problem['errors']>;

  constructor(status: number, message: string, problem?: Pick<Problem, 'code' | 'errors'>) {
    super(message);
    this.name = 'RequestFailure';
    this.status = status;
    this.code = problem?.code;
    this.fields = problem?.errors ?? [];
  }
}

/** The failure of a response that has the body `text`. */
export function failureOf(status: number, text: string): RequestFailure {
  const problem = problemSchema.safeParse(parsed(text));
  if (!problem.success) return new RequestFailure(status, texts.unexpected(status));
  const { code, detail, errors = [], requestId } = problem.data;
  // The detail often has the message of a field: it is said once.
  const fields = errors
    .filter(({ message }) => !detail.includes(message))
    .map(({ field, message }) => `${field} ${message}`);
  const reference = status >= 500 ? [texts.reference(requestId)] : [];
  return new RequestFailure(status, [failureText(code, detail), ...fields, ...reference].join(' · '), problem.data);
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
