import type { ActorScope } from '@waybill/access/principal';

/** A job that waits for an approval. */
export interface WaitingApproval {
  readonly job: number;
  readonly actor: string;
  readonly contract: string;
  readonly contractAction: string;
  readonly submittedBy: string;
  /** Its path, for a step of another workflow that a step runs. */
  readonly step: string;
  /** The question with the time limit. */
  readonly message: string;
  /** What is asked; in a wait that an earlier release began, the message. */
  readonly question: string;
  readonly approvers: readonly string[];
  readonly since: Date;
  readonly until: string;
}

/** Which approvals to list, by the number of the job. */
export interface ApprovalQuery {
  readonly actor?: string | undefined;
  /** Only those of these actors; all if undefined. */
  readonly actors?: ActorScope;
  readonly contract?: string | undefined;
  readonly contractAction?: string | undefined;
  readonly step?: string | undefined;
  readonly job?: number | undefined;
  /** Only those that these names may decide about, or only the others. */
  readonly decidable?: { readonly by: readonly string[]; readonly is: boolean } | undefined;
  /** Lists those with higher numbers. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Lists the jobs that wait for an approval. */
export type ListApprovals = (
  query: ApprovalQuery,
) => Promise<{ approvals: readonly WaitingApproval[]; next: number | undefined }>;

/** The names of a user and of the user's roles, as `approvers` has them. */
export function approverNames({ userName, roles }: { userName: string; roles: readonly string[] }): readonly string[] {
  return [userName, ...roles.map((role) => `role:${role}`)];
}
