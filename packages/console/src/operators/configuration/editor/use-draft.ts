import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { useState } from 'react';
import { readSettings, settingsText } from '../text/settings-text.ts';

/** A text that is being edited. */
export interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isBusy: boolean;
  /** Why it could not be saved. */
  readonly failure: Error | undefined;
  /** What saving this text would do, once that was asked for. */
  readonly reviewed: ChangePreview | undefined;
  review(): Promise<void>;
  confirm(): Promise<void>;
}

/** A text that is being edited, whose changes are looked at before they are made. */
export function useDraft(about: {
  readonly initial: unknown;
  readonly preview: (settings: unknown) => Promise<ChangePreview>;
  readonly save: (settings: unknown) => Promise<void>;
}): Draft {
  const { initial, preview, save } = about;
  const [text, setText] = useState(() => settingsText(initial));
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [reviewed, setReviewed] = useState<ChangePreview>();
  const attempt = async (act: (settings: unknown) => Promise<void>): Promise<void> => {
    const settings = readSettings(text);
    if ('error' in settings) return setFailure(new Error(settings.error));
    setBusy(true);
    setFailure(undefined);
    try {
      await act(settings.value);
    } catch (error) {
      setReviewed(undefined);
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };
  return {
    text,
    setText: (next) => {
      setReviewed(undefined);
      setText(next);
    },
    isBusy,
    failure,
    reviewed,
    review: () => attempt(async (settings) => setReviewed(await preview(settings))),
    confirm: () => attempt(save),
  };
}
