import { z } from 'zod';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { jobIdSchema } from '../../values/job-id.ts';

/** The job that a path such as `/job-manager/jobs/245` names. */
export const jobPathSchema = z.object({
  id: z.preprocess(digitsAsNumber, jobIdSchema).describe('Number of the job').meta({ example: 245 }),
});
