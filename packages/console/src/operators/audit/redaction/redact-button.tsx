import { useQueryClient } from '@tanstack/react-query';
import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../../page-kit/components/dialog.tsx';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { useAction } from '../../../page-kit/use-action.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { texts } from '../../texts/texts.ts';

const { audit } = texts;

/** Records whose personal values are erased: these, or those that match an expression. */
export type RedactionTarget = { readonly ids: string[] } | { readonly q: string };

/** The usual fields with personal values. */
const usualFields = 'auditMessage, dataoneUser, entityName, address';

/** A button that erases personal values after it has shown of how many records. */
export function RedactButton({ target }: { readonly target: RedactionTarget }) {
  const [asked, setAsked] = useState<RedactionTarget>();
  return (
    <>
      <Button className="button" onPress={() => setAsked(target)}>
        {audit.redact}
      </Button>
      {asked !== undefined && <RedactDialog target={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function RedactDialog({ target, onClose }: { readonly target: RedactionTarget; readonly onClose: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState(usualFields);
  const [reason, setReason] = useState('');
  const [counted, setCounted] = useState<number>();
  const request = async (dryRun: boolean) => {
    const names = fields.split(/[\s,]+/u).filter((name) => name !== '');
    const body = { ...target, fields: names, reason, dryRun };
    return callEndpoint(redactAuditRecordsEndpoint, { body });
  };
  const count = useAction(
    async () => setCounted((await request(true)).records),
    () => undefined,
  );
  const erase = useAction(async () => {
    await request(false);
    await client.invalidateQueries({ queryKey: ['audit'] });
  }, onClose);
  const { isBusy, failure, run } = counted === undefined ? count : erase;
  const changed = (change: () => void) => {
    change();
    setCounted(undefined);
  };
  return (
    <AppDialog
      title={audit.redactTitle}
      action={counted === undefined ? audit.redactCount : audit.redact}
      {...{ isBusy, failure, onClose }}
      isDangerous={counted !== undefined}
      onAction={run}
    >
      <p>{audit.redactEffect}</p>
      <TextInput label={audit.redactFields} value={fields} onChange={(text) => changed(() => setFields(text))} />
      <TextInput label={audit.why} value={reason} onChange={(text) => changed(() => setReason(text))} autoFocus />
      {counted !== undefined && <p role="status">{audit.redactCounted(counted)}</p>}
    </AppDialog>
  );
}
