import { memo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatDuration } from '../../page-kit/format/format-time.ts';
import { messages } from '../../page-kit/messages/messages.ts';
import { continueFromHandle, continueWith, discardTransfer, pauseTransfer, resumeTransfer } from './transfer-queue.ts';
import type { Transfer } from './transfer.ts';

/** One upload with its progress and its buttons. It is rendered when its own transfer has changed, and not for others. */
export const TransferRow = memo(function TransferRow({ transfer }: { readonly transfer: Transfer }) {
  const { id, folder, name, size, state, sentBytes, failure, hasHandle = false } = transfer;
  const share = state === 'stored' || size === 0 ? 1 : sentBytes / size;
  return (
    <li className="transfer" data-state={state}>
      <span className="transfer-name">
        <bdi>{name}</bdi> <small>{folder}</small>
      </span>
      <progress aria-label={name} max={1} value={share} />
      <span className="transfer-state">{describe(transfer, share)}</span>
      <span className="buttons">
        {(state === 'running' || state === 'waiting') && (
          <Button className="button" onPress={() => pauseTransfer(id)} aria-label={`${messages.pause}: ${name}`}>
            {messages.pause}
          </Button>
        )}
        {state === 'paused' && (
          <Button className="button" onPress={() => resumeTransfer(id)} aria-label={`${messages.resume}: ${name}`}>
            {messages.resume}
          </Button>
        )}
        {state === 'failed' && (
          <Button
            className="button"
            onPress={() => resumeTransfer(id, failure?.isTaken === true ? { overwrites: true } : {})}
          >
            {failure?.isTaken === true ? messages.replace : messages.retry}
          </Button>
        )}
        {state === 'interrupted' && <FindAgain id={id} hasHandle={hasHandle} />}
        <Button className="button" onPress={() => discardTransfer(id)} aria-label={`${messages.discard}: ${name}`}>
          ✕
        </Button>
      </span>
    </li>
  );
});

/** A page that was loaded again has no access to the file until its user allows it, or chooses the file. */
function FindAgain({ id, hasHandle }: { readonly id: string; readonly hasHandle: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOther, setOther] = useState(false);
  return (
    <>
      {isOther && <span className="failure">{messages.notTheSameFile}</span>}
      {hasHandle ? (
        <Button
          className="button primary"
          onPress={() => void continueFromHandle(id).then((isSame) => setOther(!isSame))}
        >
          {messages.continueUpload}
        </Button>
      ) : (
        <Button className="button primary" onPress={() => input.current?.click()}>
          {messages.chooseAgain}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={messages.chooseAgain}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) setOther(!continueWith(id, file));
          currentTarget.value = '';
        }}
      />
    </>
  );
}

function describe(
  { name, size, state, sentBytes, bytesPerSecond, failure, hasHandle = false }: Transfer,
  share: number,
): string {
  const remaining =
    bytesPerSecond > 0 ? messages.remainingTime(formatDuration((size - sentBytes) / bytesPerSecond)) : '';
  const descriptions: Readonly<Record<Transfer['state'], string>> = {
    waiting: messages.transferWaiting,
    running: messages.transferRunning(`${Math.floor(share * 100)} %`, `${formatBytes(bytesPerSecond)}/s`, remaining),
    paused: messages.transferPaused,
    stored: messages.transferStored,
    interrupted: hasHandle ? messages.transferToAllow : messages.transferInterrupted,
    failed: failure?.isTaken === true ? messages.conflict(name) : messages.transferFailed(failure?.message ?? ''),
  };
  return descriptions[state];
}
