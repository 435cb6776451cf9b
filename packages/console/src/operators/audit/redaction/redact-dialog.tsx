import { useQueryClient } from '@tanstack/react-query';
import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { useState } from 'react';
import { AppDialog } from '../../../page-kit/components/dialog.tsx';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { useAction } from '../../../page-kit/use-action.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { texts } from '../../texts/texts.ts';

const { audit } = texts;

/** Records whose personal values are erased: these, or those that match an expression. */
export type RedactionTarget = { readonly ids: string[] } | { readonly q: string };

/** The fields that are chosen at first. */
const usualFields: readonly string[] = ['auditMessage', 'dataoneUser', 'entityName', 'address'];

interface RedactDialogProps {
  readonly target: RedactionTarget;
  /** Called with the number of records of which a value was erased. */
  readonly onErased: (records: number) => void;
  readonly onClose: () => void;
}

/** Asks which values to erase and why, counts the records, and erases the values. */
export function RedactDialog(props: RedactDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(usualFields));
  const [others, setOthers] = useState('');
  const [reason, setReason] = useState('');
  const fields = [...chosen, ...others.split(/[\s,]+/u).filter((name) => name !== '')];
  const { counted, forget, isBusy, failure, run } = useRedaction(props, { fields, reason });
  const changed = (change: () => void) => {
    change();
    forget();
  };
  return (
    <AppDialog
      title={audit.redactTitle}
      action={counted === undefined ? audit.redactCount : audit.redact}
      {...{ isBusy, failure }}
      isDangerous={counted !== undefined}
      isDisabled={fields.length === 0 || counted === 0}
      onAction={run}
      onClose={props.onClose}
    >
      <p>{audit.redactEffect}</p>
      <Fields chosen={chosen} onChoose={(next) => changed(() => setChosen(next))} />
      <TextInput
        label={audit.redactOthers}
        value={others}
        onChange={(text) => changed(() => setOthers(text))}
        isRequired={false}
      />
      <TextInput label={audit.why} value={reason} onChange={(text) => changed(() => setReason(text))} autoFocus />
      {fields.length === 0 && <p role="status">{audit.redactNoField}</p>}
      {counted !== undefined && <p role="status">{audit.redactCounted(counted)}</p>}
    </AppDialog>
  );
}

/** Counts the records first, and erases once they are counted. */
function useRedaction(
  { target, onErased, onClose }: RedactDialogProps,
  what: { readonly fields: string[]; readonly reason: string },
) {
  const client = useQueryClient();
  const [counted, setCounted] = useState<number>();
  const request = async (dryRun: boolean) =>
    callEndpoint(redactAuditRecordsEndpoint, { body: { ...target, ...what, dryRun } });
  const count = useAction(
    async () => setCounted((await request(true)).records),
    () => undefined,
  );
  const erase = useAction(async () => {
    const { records } = await request(false);
    await client.invalidateQueries({ queryKey: ['audit'] });
    onErased(records);
  }, onClose);
  return { counted, forget: () => setCounted(undefined), ...(counted === undefined ? count : erase) };
}

function Fields(props: {
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}) {
  const { chosen, onChoose } = props;
  return (
    <fieldset className="choices">
      <legend>{audit.redactFields}</legend>
      {Object.entries(audit.redactable).map(([name, label]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.has(name)}
            onChange={({ target }) =>
              onChoose(new Set(target.checked ? [...chosen, name] : [...chosen].filter((one) => one !== name)))
            }
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  );
}
