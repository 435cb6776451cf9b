import { z } from 'zod';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { userNameSchema } from '../../values/user-name.ts';

/** The filters of lists of sessions and transfers, over any protocol. */
export const sessionFilters = {
  userName: userNameSchema.optional().describe('Only this user').meta({ example: 'acme' }),
  peerName: soundTextSchema.optional().describe('Only this peer').meta({ example: 'peer1' }),
};

/** The filter by the actor of the users. */
export const actorFilter = {
  actor: soundTextSchema.optional().describe('Only the users of this actor').meta({ example: 'acme' }),
};

/** How many of `what` a list has at most. */
export function maxItemShape(what: string) {
  return {
    maxItem: z
      .preprocess(digitsAsNumber, z.int({ error: 'must be a whole number' }).min(1).max(100_000))
      .default(100)
      .describe(`Maximum number of ${what}; default 100`)
      .meta({ example: 100 }),
  };
}
