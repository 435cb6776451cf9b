import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Failure } from '../../page-kit/components/failure.tsx';
import { texts } from '../texts.ts';
import { assertSelectable, postSelection, type Selection } from './post-selection.ts';

/** Downloads elements of a folder as one archive, or says why there is none. */
export function DownloadSelection({ folder, names }: Selection) {
  const [failed, setFailed] = useState<{ readonly of: string; readonly reason: string }>();
  const of = [folder, ...names].join('/');
  const download = async (): Promise<void> => {
    setFailed(undefined);
    try {
      await assertSelectable({ folder, names });
      postSelection({ folder, names }, () => setFailed({ of, reason: texts.downloadNotStarted }));
    } catch (error) {
      setFailed({ of, reason: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <>
      <Button className="button" onPress={() => void download()}>
        {texts.downloadArchive}
      </Button>
      {failed?.of === of && <Failure>{failed.reason}</Failure>}
    </>
  );
}
