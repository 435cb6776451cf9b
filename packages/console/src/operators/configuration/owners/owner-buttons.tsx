import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../../page-kit/components/dialog.tsx';
import { type KeptDialogState, useKeptDialog } from '../../../page-kit/components/kept-dialogs.tsx';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { useAction } from '../../../page-kit/use-action.ts';
import { basePath } from '../../address/console-links.tsx';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { texts } from '../../texts/texts.ts';
import { RequestedPreview } from '../changes/requested-preview.tsx';
import { forceObject, type OwnedVersion, passObject, previewForce } from './owner-requests.ts';

const { configuration } = texts;

/** Lets a source take an object over from the API. */
export function AdoptButton(object: OwnedVersion) {
  const open = useKeptDialog();
  return (
    <Button
      className="button small"
      onPress={() => open((state) => <PassDialog object={object} kind="adopt" known={undefined} {...state} />)}
    >
      {configuration.adopt}
    </Button>
  );
}

/** Lets the API take an object over from its source. */
export function ReleaseButton({ source, ...object }: OwnedVersion & { readonly source: string }) {
  const open = useKeptDialog();
  return (
    <Button
      className="button small"
      onPress={() => open((state) => <PassDialog object={object} kind="release" known={source} {...state} />)}
    >
      {configuration.release}
    </Button>
  );
}

/** Says what follows, and asks for the source and a reason. */
function PassDialog(
  props: KeptDialogState & {
    /** The version that is shown. */
    readonly object: OwnedVersion;
    readonly kind: 'adopt' | 'release';
    /** The source, unless it is asked for. */
    readonly known: string | undefined;
  },
) {
  const { object, kind, known, isOutdated, onClose } = props;
  const client = useQueryClient();
  const [source, setSource] = useState(known ?? '');
  const [reason, setReason] = useState('');
  const { isBusy, failure, run } = useAction(async () => {
    await passObject(kind, object, { source: source.trim(), reason: reason.trim() });
    await client.invalidateQueries({ queryKey: ['configuration'] });
  }, onClose);
  const { name } = object.address;
  return (
    <AppDialog
      title={configuration.passTitle[kind](name)}
      action={configuration[kind]}
      {...{ isBusy, failure, onClose }}
      isOutdated={isOutdated}
      onAction={run}
    >
      <p>{configuration.passMeans[kind](known ?? configuration.theSource)}</p>
      {known === undefined && <TextInput label={configuration.source} value={source} onChange={setSource} autoFocus />}
      <TextInput label={configuration.reason} value={reason} onChange={setReason} isRequired={false} />
    </AppDialog>
  );
}

/** Deletes a version of an object of a source in an emergency. */
export function ForcedRemoval({ etag, ...object }: OwnedVersion) {
  const { history } = useRouter();
  return (
    <ConfirmButton
      label={configuration.forceRemoval}
      title={configuration.removeTitle(object.address.name)}
      reason={configuration.reason}
      isDangerous
      act={async (reason) => {
        await forceObject(object, { delete: true, etag }, reason);
        history.push(`${basePath}/configuration/${object.resource.collection}`);
      }}
    >
      <p>{configuration.forceMeans}</p>
      <RequestedPreview
        queryKey={['forced removal', object.resource.collection, object.address, etag]}
        request={() => previewForce(object, { delete: true, etag })}
      />
    </ConfirmButton>
  );
}
