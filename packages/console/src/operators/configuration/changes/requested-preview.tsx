import { useQuery } from '@tanstack/react-query';
import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { Failure } from '../../frame/page-frame.tsx';
import { texts } from '../../texts/texts.ts';
import { PreviewedChange } from './change-list.tsx';

/** What a change would do, as the server says when this is shown. */
export function RequestedPreview(props: {
  readonly queryKey: readonly unknown[];
  readonly request: () => Promise<ChangePreview>;
}) {
  const { data, error } = useQuery({
    queryKey: ['preview', ...props.queryKey],
    queryFn: props.request,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <>
      <Failure error={error} />
      {data === undefined && error === null && <p role="status">{texts.configuration.looking}</p>}
      {data !== undefined && <PreviewedChange {...data} />}
    </>
  );
}
