import { memo, useRef } from 'react';
import { Button } from 'react-aria-components';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { texts } from '../texts.ts';
import { describeProgress } from './describe-progress.ts';
import { DiscardButton } from './discard-uploads.tsx';
import { continueFromHandles, continueWith, retryTransfers } from './interrupted-transfers.ts';
import { pauseTransfers, resumeTransfers } from './transfer-queue.ts';
import type { Transfer } from './transfer.ts';

/** One upload with its progress and its buttons. It is rendered when its own transfer has changed, and not for others. */
export const TransferRow = memo(function TransferRow({ transfer }: { readonly transfer: Transfer }) {
  const { id, folder, name, size, state, sentBytes, hasHandle = false, isOther = false } = transfer;
  const share = state === 'stored' || size === 0 ? 1 : sentBytes / size;
  const action = actionOf(transfer);
  return (
    <li className="transfer" data-state={state}>
      <span className="transfer-name">
        <OutsideText text={name} />{' '}
        <small>
          <OutsideText text={folder} />
        </small>
      </span>
      <progress aria-label={visibleText(name)} max={1} value={share} />
      <span className="transfer-state">
        <OutsideText text={describe(transfer, share)} />
      </span>
      <span className="buttons">
        {state === 'interrupted' && isOther && <span className="failure">{texts.notTheSameFile}</span>}
        {action !== undefined && (
          <Button className="button" onPress={action.run} aria-label={`${action.label}: ${visibleText(name)}`}>
            {action.label}
          </Button>
        )}
        {state === 'interrupted' && !hasHandle && <ChooseAgain id={id} name={name} />}
        <DiscardButton transfer={transfer} />
      </span>
    </li>
  );
});

/** What the user can do with a transfer next, besides removing it, and choosing its file. */
function actionOf({ id, state, failure, hasHandle }: Transfer): { label: string; run: () => void } | undefined {
  if (['running', 'waiting', 'elsewhere'].includes(state))
    return { label: texts.pause, run: () => pauseTransfers([id]) };
  if (state === 'paused') return { label: texts.resume, run: () => resumeTransfers([id]) };
  if (state === 'interrupted' && hasHandle === true)
    return { label: texts.continueUpload, run: () => void continueFromHandles([id]) };
  if (state !== 'failed') return undefined;
  if (failure?.isTaken === true)
    return { label: texts.replace, run: () => void retryTransfers([id], { overwrites: true }) };
  return { label: texts.retry, run: () => void retryTransfers([id]) };
}

/** A page that was loaded again has no access to the file until its user chooses it. */
function ChooseAgain({ id, name }: { readonly id: string; readonly name: string }) {
  const input = useRef<HTMLInputElement>(null);
  const label = `${texts.chooseAgain}: ${visibleText(name)}`;
  return (
    <>
      <Button className="button primary" onPress={() => input.current?.click()} aria-label={label}>
        {texts.chooseAgain}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) continueWith(id, file);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

function describe(
  { name, size, state, sentBytes, bytesPerSecond, failure, delay, hasHandle = false }: Transfer,
  share: number,
): string {
  const descriptions: Readonly<Record<Transfer['state'], string>> = {
    waiting: texts.transferWaiting,
    elsewhere: texts.transferElsewhere,
    running:
      delay === undefined ? describeProgress(share, size - sentBytes, bytesPerSecond) : texts.transferDelayed(delay),
    paused: texts.transferPaused,
    stored: texts.transferStored,
    interrupted: hasHandle ? texts.transferToAllow : texts.transferInterrupted,
    failed: failure?.isTaken === true ? texts.conflict(name) : texts.transferFailed(failure?.message ?? ''),
  };
  return descriptions[state];
}
