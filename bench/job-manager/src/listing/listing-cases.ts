import { createHash } from 'node:crypto';
import type { JobCursor, JobQuery, JobSortField } from '@waybill/job-manager/domain/jobs/job-query';

/** A listing under measurement. */
export interface ListingCase {
  readonly name: string;
  readonly query: JobQuery;
}

type Filters = JobQuery['filters'];
type Trio = readonly [frequent: Filters, rare: Filters, absent: Filters];

/** The time at which a job was created by `fillJobs`. */
export function createdAt(id: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + id * 1_500);
}

/** As `fillJobs` makes them. */
function idOf(kind: 'd' | 'l', id: number): string {
  const digits = createHash('md5').update(`${kind}${id}`).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

const newest = { field: 'id', descending: true } as const;
const limit = 100;

/** Every filter with a value that many jobs have, with one that only the oldest have, and with one that no job has. */
function filtersOf(count: number): Readonly<Record<string, Trio>> {
  const half = createdAt(count / 2);
  const [start, end] = [createdAt(30), createdAt(count - 50)];
  const [before, after] = [createdAt(-9), createdAt(2 * count)];
  const text = (name: keyof Filters, frequent: string): Trio => [
    { [name]: frequent },
    { [name]: 'rare' },
    { [name]: 'absent' },
  ];
  return {
    id: [{ id: count / 2 }, { id: 1 }, { id: 2 * count }],
    status: [{ status: 'COMPLETED' }, { status: 'ABORTED' }, { status: 'RUNNING' }],
    queue: text('queue', 'queue4'),
    contract: text('contract', 'contract0'),
    workflowTemplateId: [{ workflowTemplateId: 1 }, { workflowTemplateId: 99 }, { workflowTemplateId: 100 }],
    workflowTemplateName: text('workflowTemplateName', 'template0'),
    workflowTemplateRevision: [
      { workflowTemplateRevision: 1 },
      { workflowTemplateRevision: 9 },
      { workflowTemplateRevision: 10 },
    ],
    createdAtFrom: [{ createdAtFrom: half }, { createdAtFrom: end }, { createdAtFrom: after }],
    createdAtTo: [{ createdAtTo: half }, { createdAtTo: start }, { createdAtTo: before }],
    updatedAtFrom: [{ updatedAtFrom: half }, { updatedAtFrom: end }, { updatedAtFrom: after }],
    updatedAtTo: [{ updatedAtTo: half }, { updatedAtTo: start }, { updatedAtTo: before }],
    extIPID: [{ extIPID: `order-${3 * Math.floor(count / 6)}` }, { extIPID: 'order-3' }, { extIPID: 'absent' }],
    submittedBy: text('submittedBy', 'user1'),
    dfiid: [{ dfiid: idOf('d', count / 2) }, { dfiid: idOf('d', 1) }, { dfiid: 'absent' }],
    lcid: [{ lcid: `${idOf('l', count / 2)}:0` }, { lcid: `${idOf('l', 1)}:0` }, { lcid: 'absent' }],
    actor: text('actor', 'actor0'),
    contractAction: text('contractAction', 'action0'),
    contractType: [{ contractType: 'Mediation' }, { contractType: 'Output' }, { contractType: 'absent' }],
    contractActionTrigger: [
      { contractActionTrigger: 'NewFile' },
      { contractActionTrigger: 'Time' },
      { contractActionTrigger: 'absent' },
    ],
  };
}

/** Each filter alone, the newest job first: the first page of each value, and a page in the middle for the frequent one. */
export function filterCases(count: number): ListingCase[] {
  const middle = { value: String(Math.floor(count / 3)), id: Math.floor(count / 3) };
  return Object.entries(filtersOf(count)).flatMap(([name, [frequent, rare, absent]]) => [
    { name: `${name}, frequent`, query: { filters: frequent, sort: newest, limit } },
    { name: `${name}, frequent, deep`, query: { filters: frequent, sort: newest, limit, after: middle } },
    { name: `${name}, rare`, query: { filters: rare, sort: newest, limit } },
    { name: `${name}, absent`, query: { filters: absent, sort: newest, limit } },
  ]);
}

/** Each order both ways without a filter: the first page, and one that begins in the middle of the jobs. */
export function sortCases(cursors: Readonly<Record<JobSortField, JobCursor>>): ListingCase[] {
  return Object.entries(cursors).flatMap(([field, after]) =>
    [true, false].flatMap((descending) => {
      const sort = { field: field as JobSortField, descending };
      const name = `sort ${descending ? '-' : '+'}${field}`;
      return [
        { name, query: { filters: {}, sort, limit } },
        { name: `${name}, deep`, query: { filters: {}, sort, limit, after } },
      ];
    }),
  );
}
