import {
  type AccessExplanation,
  explainAccessEndpoint,
} from '@waybill/contracts/endpoints/administration/explain-access';
import type { Permission } from '@waybill/contracts/values/permission';
import { type Protocol, protocolSchema } from '@waybill/contracts/values/protocol';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { RequestFailure } from '../../api/request-failure.ts';

/** Over which questions are asked that name neither a protocol nor a server. */
export const usualProtocol: Protocol = 'SFTP';

/** Whether a user may do something. */
export interface Question {
  readonly user: string;
  /** Default: that of the server, which operators of some actors cannot look up. */
  readonly protocol: Protocol | undefined;
  readonly operation: Permission;
  readonly path: string;
  readonly address: string | undefined;
  readonly cluster: string | undefined;
  readonly server: string | undefined;
}

/** The decision and its rules. @throws RequestFailure */
export async function explain(question: Question, signal: AbortSignal): Promise<AccessExplanation> {
  const ask = (protocol: Protocol) => callEndpoint(explainAccessEndpoint, { body: { ...question, protocol }, signal });
  if (question.protocol !== undefined) return ask(question.protocol);
  const others = question.server === undefined ? [] : protocolSchema.options.filter((one) => one !== usualProtocol);
  return others.reduce(
    (asked, protocol) =>
      asked.catch((error: unknown) => {
        if (error instanceof RequestFailure && error.code === 'server_unknown') return ask(protocol);
        throw error;
      }),
    ask(usualProtocol),
  );
}

/** What is typed of a question, and why it cannot be asked yet. */
const checked = ['user', 'path', 'address', 'cluster', 'server'] as const;

/** The fields of a question, which is being typed, that the interface would refuse. What is empty is not wrong yet. */
export function wrongFieldsOf(
  question: Readonly<Record<string, string | undefined>>,
): readonly (typeof checked)[number][] {
  const { error } = explainAccessEndpoint.body.schema.safeParse(question);
  const wrong = new Set(error?.issues.map(({ path: [name] }) => name));
  return checked.filter((name) => wrong.has(name) && question[name] !== '');
}
