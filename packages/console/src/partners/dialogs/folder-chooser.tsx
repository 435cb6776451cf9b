import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { listSubfolders } from '../api/elements.ts';
import { texts } from '../texts.ts';

/** More folders are reached by typing. */
const shownAtMost = 200;

interface FolderChooserProps {
  readonly path: string;
  readonly isDisabled: boolean;
  readonly onChoose: (path: string) => void;
}

/** A folder that is typed, or reached step by step: the folders in it, and the one that it is in, are offered. */
export function FolderChooser({ path, isDisabled, onChoose }: FolderChooserProps) {
  // A path that is being typed leads nowhere yet: if it stays like this, moving says why it fails.
  const { data: folders = [] } = useQuery({
    queryKey: ['subfolders', path],
    queryFn: ({ signal }) => listSubfolders(path, signal),
    retry: false,
  });
  const parent = path.slice(0, path.replace(/\/$/u, '').lastIndexOf('/')) || '/';
  return (
    <>
      <TextInput label={texts.targetFolder} value={path} onChange={onChoose} autoFocus />
      <p className="hint">{texts.subfolders}</p>
      <ul className="names" aria-label={texts.subfolders}>
        {path !== '/' && (
          <li>
            <Button className="name" isDisabled={isDisabled} onPress={() => onChoose(parent)}>
              {texts.parentFolder}
            </Button>
          </li>
        )}
        {folders.slice(0, shownAtMost).map((folder) => (
          <li key={folder}>
            <Button className="name" isDisabled={isDisabled} onPress={() => onChoose(folder)}>
              <OutsideText text={folder.slice(folder.lastIndexOf('/') + 1)} />
            </Button>
          </li>
        ))}
      </ul>
      {folders.length > shownAtMost && <p>{texts.andMore(folders.length - shownAtMost)}</p>}
    </>
  );
}
