import type { OwnSshKeys } from '@waybill/contracts/endpoints/files/account/list-own-ssh-keys';
import { useState } from 'react';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { FormFailure } from '../../page-kit/components/failure.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { addSshKey } from '../api/account.ts';
import { texts } from '../texts.ts';

/** Adds an SSH key. */
export function NewKeyForm({ rules, onAdded }: { readonly rules: OwnSshKeys['rules']; readonly onAdded: () => void }) {
  const [key, setKey] = useState('');
  const [comment, setComment] = useState('');
  const [expires, setExpires] = useState('');
  const add = () =>
    addSshKey({ key: key.trim(), ...(comment !== '' && { comment }), ...(expires !== '' && { expires }) });
  const { isBusy, failure, run } = useAction(add, () => {
    setKey('');
    setComment('');
    setExpires('');
    onAdded();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <h3>{texts.addKey}</h3>
      <TextInput
        label={texts.publicKey}
        value={key}
        onChange={setKey}
        hasLines
        hint={texts.keyHint(rules.types.join(', '), rules.maximum)}
      />
      <TextInput label={texts.comment} value={comment} onChange={setComment} isRequired={false} />
      <TextInput
        label={texts.lastDay}
        value={expires}
        onChange={setExpires}
        isRequired={false}
        hint={texts.lastDayHint(rules.expiresAfterDays)}
      />
      {failure !== undefined && <FormFailure>{failure}</FormFailure>}
      <BusyButton className="button primary" type="submit" isBusy={isBusy}>
        {texts.addKey}
      </BusyButton>
    </form>
  );
}
