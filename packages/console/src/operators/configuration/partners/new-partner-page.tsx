import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { basePath } from '../../address/console-links.tsx';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import { UnsavedGuard } from '../../frame/unsaved-guard.tsx';
import { texts } from '../../texts/texts.ts';
import { Review } from '../changes/review.tsx';
import { useServers } from '../related/servers.ts';
import { NewPartnerFields } from './new-partner-fields.tsx';
import { createPartner, type NewPartner, previewPartner } from './new-partner.ts';
import { faultsOf } from './partner-faults.ts';

const { partners, configuration } = texts;

const empty = { actor: '', user: '', password: '', publicKey: '', files: '', folders: '/inbox\n/outbox' };

/** Creates a partner with a user, files and access in one step, after a look at what is created. */
export function NewPartnerPage() {
  const servers = useServers();
  const [given, setGiven] = useState<Partial<NewPartner>>({});
  const usual = (servers ?? []).slice(0, 1).map(({ cluster, server }) => ({ cluster, server, contract: '' }));
  const whole: NewPartner = { ...empty, servers: usual, ...given };
  const { preview, create } = useCreation(whole.actor.trim());
  const { data: planned } = preview;
  const error = preview.error ?? create.error;
  const faults = faultsOf(whole, error);
  const form = useFocusedFault(error);
  return (
    <PageFrame title={partners.newTitle}>
      <UnsavedGuard isUnsaved={Object.keys(given).length > 0 && !create.isPending && !create.isSuccess} />
      <form
        className="editor"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (planned === undefined) preview.mutate(whole);
          else create.mutate(whole);
        }}
      >
        <p className="quiet">{partners.newHint}</p>
        <NewPartnerFields
          given={whole}
          servers={servers}
          faults={faults}
          onChange={(change) => {
            preview.reset();
            create.reset();
            setGiven({ ...given, ...change });
          }}
        />
        <Failure error={faults.failure} />
        {planned !== undefined && <Review preview={planned} />}
        <div className="buttons">
          <BusyButton className="button primary" type="submit" isBusy={preview.isPending || create.isPending}>
            {planned === undefined ? configuration.review : partners.create}
          </BusyButton>
        </div>
      </form>
    </PageFrame>
  );
}

/** What shows what creating a partner would do, and what does it and leads to the partner. */
function useCreation(actor: string) {
  const { history } = useRouter();
  const client = useQueryClient();
  const preview = useMutation({ mutationFn: previewPartner });
  const create = useMutation({
    mutationFn: createPartner,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['configuration'] });
      history.push(`${basePath}/partners/${encodeURIComponent(actor)}`);
    },
  });
  return { preview, create };
}

/** A form whose first field that is wrong gets the focus when something was refused. */
function useFocusedFault(error: Error | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return form;
}
