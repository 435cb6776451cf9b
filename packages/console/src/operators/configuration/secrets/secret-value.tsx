import { secretBytesAtMost } from '@waybill/contracts/configuration/secret-reference';
import { useId, useState } from 'react';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { formatBytes } from '../../../page-kit/format/format-bytes.ts';
import { texts } from '../../texts/texts.ts';

const { secrets } = texts;

/** The value of a secret: typed or pasted with its line breaks, or read from a file. Its characters are not shown. */
export function SecretValue(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus: boolean;
}) {
  const { value, onChange, autoFocus } = props;
  const id = useId();
  const [isTooLarge, setTooLarge] = useState(false);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setTooLarge(file.size > secretBytesAtMost);
    if (file.size <= secretBytesAtMost) onChange(await file.text());
  };
  return (
    <>
      <TextInput
        label={secrets.value}
        value={value}
        onChange={onChange}
        hasLines
        isHidden
        autoFocus={autoFocus}
        hint={secrets.valueSize(storedValue(value))}
      />
      <div className="field">
        <label htmlFor={id}>{secrets.chooseFile}</label>
        <input id={id} type="file" onChange={({ target }) => void read(target.files?.[0])} />
        {isTooLarge && (
          <p className="failure" role="alert">
            {secrets.tooLarge(formatBytes(secretBytesAtMost))}
          </p>
        )}
      </div>
    </>
  );
}

/** What is stored: without the line break at the end of a file, as `waybill secret set` does it. */
export function storedValue(value: string): string {
  return value.replace(/\r?\n$/u, '');
}
