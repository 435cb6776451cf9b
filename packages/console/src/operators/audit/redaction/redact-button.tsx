import { useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { PanelDialog } from '../../../page-kit/components/panel-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { RedactDialog, type RedactionTarget } from './redact-dialog.tsx';

const { audit } = texts;

/** The code of the records of what was erased. */
const redactionCode = 'AUD0113A';

/** A button that erases personal values after it has shown of how many records, and then shows what it has done until that is closed. */
export function RedactButton({ target }: { readonly target: RedactionTarget }) {
  const [asked, setAsked] = useState<RedactionTarget>();
  const [erased, setErased] = useState<number>();
  return (
    <>
      <Button className="button" onPress={() => setAsked(target)}>
        {audit.redact}
      </Button>
      {asked !== undefined && <RedactDialog target={asked} onErased={setErased} onClose={() => setAsked(undefined)} />}
      {erased !== undefined && (
        <PanelDialog title={audit.redacted} onClose={() => setErased(undefined)}>
          <p role="status">{audit.redactedOf(erased)}</p>
          <p>
            <Link href={`/audit?auditCode=${redactionCode}`}>{audit.redactions}</Link>
          </p>
        </PanelDialog>
      )}
    </>
  );
}
