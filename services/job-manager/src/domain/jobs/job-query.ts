import type { jobPartFilters } from '@waybill/contracts/endpoints/jobs/job-filters';
import type { jobSortFields } from '@waybill/contracts/endpoints/jobs/list-jobs';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { ListedJob } from './job.ts';

/** A field that jobs can be listed by. */
export type JobSortField = (typeof jobSortFields)[number];

/**
 * Where a page begins: after the job with this id, whose sort field has this value. Texts, numbers and times as
 * text.
 */
export interface JobCursor {
  readonly value: string;
  readonly id: number;
}

/** Parts of names that a job has, whatever their capital letters. */
export type JobPartFilters = { readonly [F in keyof typeof jobPartFilters]?: string | undefined };

/** Which jobs, in which order. All filters but those of a part match exactly, bounds of time included. Ties are broken by id, in the same direction. */
export interface JobQuery {
  readonly filters: {
    readonly [F in 'id' | 'workflowTemplateId' | 'workflowTemplateRevision']?: number | undefined;
  } & {
    readonly [
      F in
        | 'status'
        | 'queue'
        | 'contract'
        | 'workflowTemplateName'
        | 'extIPID'
        | 'dfiid'
        | 'lcid'
        | 'actor'
        | 'contractAction'
        | 'contractType'
        | 'contractActionTrigger'
    ]?: string | undefined;
  } & {
    /** Any of these, but not a former one whose name another one has now. */
    readonly actors?: readonly string[] | undefined;
  } & JobPartFilters & {
      readonly submittedBy?: UserName | undefined;
    } & {
      readonly [F in 'createdAtFrom' | 'createdAtTo' | 'updatedAtFrom' | 'updatedAtTo']?: Date | undefined;
    };
  readonly sort: { readonly field: JobSortField; readonly descending: boolean };
  readonly after?: JobCursor | undefined;
  /** Jobs at most. */
  readonly limit: number;
}

/** A page of jobs. `next` is absent on the last one. */
export interface JobPage {
  readonly jobs: readonly ListedJob[];
  readonly next?: JobCursor | undefined;
}
