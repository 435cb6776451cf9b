import { z } from 'zod';
import { roleNameSchema } from '../roles/role-configuration.ts';
import { decimalOutput, pathParameter, type TaskSpecification } from './task-specification.ts';

/** The longest wait: 366 days. */
const longestWaitSeconds = 31_622_400;

const secondsParameter = z.int().min(1).max(longestWaitSeconds);

/** Names of users and roles as a list, or as text with commas between them. */
const approversParameter = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value),
  z
    .array(
      z
        .string()
        .min(1)
        .max(128)
        .refine(
          (name) => !name.startsWith('role:') || roleNameSchema.safeParse(name.slice('role:'.length)).success,
          'is not the name of a role',
        ),
    )
    .min(1)
    .max(100),
);

/** `wait`. */
export const waitSpecification = {
  summary: 'Waits for some time. The job occupies no worker meanwhile.',
  parameters: z.strictObject({ seconds: secondsParameter.describe('How long, up to 366 days') }),
  outputs: z.object({ until: z.string().describe('When the wait was over, ISO 8601') }),
} as const satisfies TaskSpecification;

/** `wait-until`. */
export const waitUntilSpecification = {
  summary: 'Waits until a time. The job occupies no worker meanwhile.',
  parameters: z.strictObject({
    time: z.iso
      .datetime({ offset: true })
      .describe('ISO 8601, such as `2026-03-02T18:00:00+01:00`; a past one is no wait'),
  }),
  outputs: waitSpecification.outputs,
} as const satisfies TaskSpecification;

/** `wait-for-file`. */
export const waitForFileSpecification = {
  summary: 'Waits for a file in a folder. The job occupies no worker meanwhile.',
  parameters: z.strictObject({
    folder: pathParameter.describe('The folder; files in its subfolders do not match'),
    pattern: z.string().min(1).max(255).default('*').describe('Name of the file; `*` matches any characters'),
    seconds: secondsParameter.describe('How long it waits at most'),
    otherwise: z
      .enum(['error', 'continue'])
      .default('error')
      .describe('What becomes of the step if there is no file by then: `continue` completes it with `found` false'),
  }),
  outputs: z.object({
    found: z.boolean().describe('Whether there is a file'),
    path: z.string().describe('Path of the first file by name; empty if there is none'),
    name: z.string().describe('Its name'),
    size: decimalOutput.describe('Its bytes'),
  }),
} as const satisfies TaskSpecification;

/** `wait-for-approval`. */
export const waitForApprovalSpecification = {
  summary: 'Waits until a user approves or rejects the job. The job occupies no worker meanwhile.',
  parameters: z.strictObject({
    message: z.string().min(1).max(500).describe('What is to be approved; the list of jobs shows it'),
    approvers: approversParameter.describe(
      'Users, and roles such as `role:Administrators`: a list, or text with commas',
    ),
    seconds: secondsParameter.default(604_800).describe('How long it waits at most; a week by default'),
    otherwise: z
      .enum(['error', 'approved', 'rejected'])
      .default('error')
      .describe('What holds if no user has decided by then; `error` fails the step'),
    onRejection: z
      .enum(['error', 'continue'])
      .default('error')
      .describe('What a rejection does: `continue` completes the step, whose outputs tell'),
  }),
  outputs: z.object({
    decision: z.string().describe('`approved` or `rejected`'),
    by: z.string().describe('Name of the user; empty if the time limit has decided'),
    reason: z.string().describe('The reason that the user gave; may be empty'),
  }),
} as const satisfies TaskSpecification;
