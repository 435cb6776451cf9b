import { PanelDialog } from '../../page-kit/components/panel-dialog.tsx';
import { texts } from '../texts.ts';
import { FileDetails } from './file-details.tsx';
import { FolderDetails } from './folder-details.tsx';

/** Shows what there is to know of a file or folder. */
export interface DetailsDialogProps {
  /** Virtual path; that of a folder ends with a slash. */
  readonly path: string;
  readonly onClose: () => void;
}

/** See `DetailsDialogProps`. */
export function DetailsDialog({ path, onClose }: DetailsDialogProps) {
  const isFolder = path.endsWith('/');
  const plainPath = isFolder ? path.slice(0, -1) || '/' : path;
  const title = plainPath === '/' ? texts.allFolders : (plainPath.split('/').at(-1) ?? '');
  return (
    <PanelDialog title={title} onClose={onClose}>
      {isFolder ? <FolderDetails path={plainPath} /> : <FileDetails path={plainPath} />}
    </PanelDialog>
  );
}
