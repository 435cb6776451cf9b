import { soundTextSchema } from '@waybill/contracts/values/sound-text';
import { type Invocation, UsageError } from '../../command.ts';

const reasonSchema = soundTextSchema.trim().min(1).max(500);

/** The reason for a change, which is audited. @throws UsageError without one */
export function recordedReason({ values }: Pick<Invocation, 'values'>): string {
  const reason = reasonSchema.safeParse(values['reason']);
  if (!reason.success) throw new UsageError('give --reason <text>, of 500 characters at most: it is recorded');
  return reason.data;
}
