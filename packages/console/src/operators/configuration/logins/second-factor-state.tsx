import { useQuery } from '@tanstack/react-query';
import type { userSecondFactorSchema } from '@waybill/contracts/endpoints/access/second-factor-shapes';
import type { z } from 'zod';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Failure } from '../../frame/page-frame.tsx';
import { refreshEveryMs } from '../../now/refresh.ts';
import { texts } from '../../texts/texts.ts';

const { partners } = texts;

/** Whether a user has a second factor; one that there is can be removed, by those who may. */
export function SecondFactorState(props: {
  readonly name: string;
  readonly find: (signal: AbortSignal) => Promise<z.infer<typeof userSecondFactorSchema>>;
  readonly mayReset: boolean;
  readonly reset: () => Promise<unknown>;
}) {
  const { name, find, mayReset, reset } = props;
  const { data, error, refetch } = useQuery({
    queryKey: ['second factor', name],
    queryFn: ({ signal }) => find(signal),
    refetchInterval: unlessRefused(refreshEveryMs.live),
  });
  const remove = async (): Promise<void> => {
    await reset();
    await refetch();
  };
  return (
    <>
      <h3>{texts.secondFactor}</h3>
      <Failure error={error} isRead={data !== undefined} />
      {data !== undefined && (
        <p>{data.active ? partners.secondFactorSince(formatTime(data.since ?? undefined)) : partners.noSecondFactor}</p>
      )}
      {data?.active === true && mayReset && (
        <ConfirmButton
          label={partners.resetSecondFactor}
          title={partners.resetSecondFactorOf(name)}
          isDangerous
          act={remove}
        >
          <p>{partners.resetSecondFactorHint}</p>
        </ConfirmButton>
      )}
    </>
  );
}
