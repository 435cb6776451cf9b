import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { CopyButton } from '../components/copy-button.tsx';
import { useStore } from '../create-store.ts';
import { texts } from '../texts.ts';
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
      <div className="buttons">
        <CopyButton text={text} autoFocus />
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
