import { useState } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useStore } from '../create-store.ts';
import { texts } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { newRecoveryCodes } from './new-recovery-codes.ts';

/** Shows new recovery codes, once, over everything else, the login too. */
export function RecoveryCodes() {
  const codes = useStore(newRecoveryCodes);
  return (
    codes !== undefined && (
      <ModalOverlay className="overlay" isOpen isKeyboardDismissDisabled>
        <Modal className="modal">
          <Dialog>
            <Heading slot="title">{texts.recoveryCodes}</Heading>
            <Codes codes={codes} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    )
  );
}

function Codes({ codes }: { readonly codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`;
  const [isCopied, setCopied] = useState(false);
  const copying = useAction(
    () => navigator.clipboard.writeText(text),
    () => setCopied(true),
  );
  return (
    <>
      <p>{texts.recoveryCodesOnce}</p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p role="status">{isCopied ? texts.copied : ''}</p>
      {copying.failure !== undefined && (
        <p className="failure" role="alert">
          {copying.failure}
        </p>
      )}
      <div className="buttons">
        {/* Browsers have a clipboard only on pages that came over HTTPS, or from this computer. */}
        {'clipboard' in navigator && (
          <Button className="button" onPress={copying.run} autoFocus>
            {texts.copy}
          </Button>
        )}
        <Button className="button" onPress={() => save(text)}>
          {texts.download}
        </Button>
        <Button className="button primary" onPress={() => newRecoveryCodes.set(undefined)}>
          {texts.recoveryCodesKept}
        </Button>
      </div>
    </>
  );
}

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'waybill-recovery-codes.txt';
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
