import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { texts } from '../texts.ts';
import { filesOfInput, readChosenFolder } from '../transfers/dropped-files.ts';
import { canChooseFolder, canChooseHandles, chooseFolder, chooseHandles } from '../transfers/file-handles.ts';
import { addTransfers } from '../transfers/transfer-queue.ts';
import { TreeUploadState, useTreeUpload } from './tree-upload.tsx';

interface UploadButtonProps {
  /** The folder that the files go to. */
  readonly path: string;
}

/** Lets the user choose files. */
export function UploadButton({ path }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = (): void => {
    if (canChooseHandles())
      void chooseHandles().then((files) => addTransfers(files.map((file) => ({ ...file, folder: path }))));
    else input.current?.click();
  };
  return (
    <>
      <Button className="button primary" onPress={choose}>
        {texts.upload}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={texts.upload}
        onChange={({ currentTarget }) => {
          void addTransfers(filesOfInput(currentTarget.files, path));
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Lets the user choose a folder. Browsers without handles report its files only: there, empty folders arrive by dropping. */
export function UploadFolderButton({ path }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const { upload, ...state } = useTreeUpload(path);
  const choose = async (): Promise<void> => {
    if (!canChooseFolder()) return input.current?.click();
    const folder = await chooseFolder();
    if (folder !== undefined) upload((options) => readChosenFolder(folder, path, options));
  };
  // React knows no attribute for it.
  useEffect(() => {
    if (input.current !== null) input.current.webkitdirectory = true;
  }, []);
  return (
    <>
      <Button className="button" onPress={() => void choose()}>
        {texts.uploadFolder}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.uploadFolder}
        onChange={({ currentTarget }) => {
          const files = filesOfInput(currentTarget.files, path);
          if (files.length > 0) upload(() => Promise.resolve({ files, emptyFolders: [] }));
          currentTarget.value = '';
        }}
      />
      <TreeUploadState {...state} />
    </>
  );
}
