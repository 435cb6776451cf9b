import { useState } from 'react';
import { Button } from 'react-aria-components';
import { texts } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { Failure } from './failure.tsx';

/** Copies a text, and says so. Browsers have a clipboard only on pages that came over HTTPS, or from this computer. */
export function CopyButton({ text, autoFocus = false }: { readonly text: string; readonly autoFocus?: boolean }) {
  const [copied, setCopied] = useState<string>();
  const { failure, run } = useAction(
    () => navigator.clipboard.writeText(text),
    () => setCopied(text),
  );
  if (!('clipboard' in navigator)) return null;
  return (
    <>
      <Button className="button" onPress={run} autoFocus={autoFocus}>
        {texts.copy}
      </Button>
      <span role="status">{copied === text ? texts.copied : ''}</span>
      {failure !== undefined && <Failure>{failure}</Failure>}
    </>
  );
}
