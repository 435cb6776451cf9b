import { z } from 'zod';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { jobIdSchema } from '../../values/job-id.ts';
import { soundTextSchema } from '../../values/sound-text.ts';

/** The job that a path such as `/job-manager/jobs/245` names. */
export const jobPathSchema = z.object({
  id: z.preprocess(digitsAsNumber, jobIdSchema).describe('Number of the job').meta({ example: 245 }),
});

/** Why a user changes a job: for its history and the audit log. */
export const changeReasonSchema = soundTextSchema
  .trim()
  .min(1)
  .max(500)
  .optional()
  .describe('Why, for the history of the job and the audit log')
  .meta({ example: 'the partner has delivered a corrected file' });
