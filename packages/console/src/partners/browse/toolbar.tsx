import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import type { Permission } from '@waybill/contracts/values/permission';
import { useEffect, useState } from 'react';
import { Button, Input, Label, SearchField, Toolbar as AriaToolbar } from 'react-aria-components';
import type { ListingOrder } from '../api/elements.ts';
import { addressOf } from '../api/request-files.ts';
import { usePermissions } from '../api/use-permissions.ts';
import type { OpenDialog } from '../dialogs/element-dialogs.tsx';
import { DownloadLink } from '../downloads/download-link.tsx';
import { DownloadSelection } from '../downloads/download-selection.tsx';
import { folderOf } from '../search/sort-hits.ts';
import { texts } from '../texts.ts';
import { UploadButton, UploadFolderButton } from './upload-buttons.tsx';
import { useFolder } from './use-listing.ts';

/** What can be done in a folder, and with the elements that are selected in it. */
export interface ToolbarProps {
  readonly path: string;
  readonly chosen: readonly FileElement[];
  /** What the user may do with each of the selected elements; undefined as long as it is not known. */
  readonly permissions: ReadonlySet<Permission> | undefined;
  readonly order: ListingOrder;
  readonly onOrder: (order: ListingOrder, isTyping?: boolean) => void;
  readonly onDialog: (dialog: OpenDialog) => void;
  readonly onClear: () => void;
  /** Shows the details of the only element that is selected, or of the folder. */
  readonly onDetails: () => void;
}

const nothing: ReadonlySet<Permission> = new Set();

/** Offers what the user may do here, and nothing else. */
export function Toolbar({ path, chosen, permissions, order, onOrder, onDialog, onClear, onDetails }: ToolbarProps) {
  const granted = usePermissions(path);
  const { isMissing, count } = useFolder(path, order);
  const here = isMissing ? nothing : granted;
  const isSearch = order.isDeep && order.filter !== '';
  return (
    <div className="toolbar files">
      <AriaToolbar className="file-buttons" aria-label={texts.files}>
        <span className="buttons">
          {here.has('upload') && <UploadButton path={path} />}
          {here.has('upload') && here.has('createFolder') && <UploadFolderButton path={path} />}
          {here.has('createFolder') && (
            <Button className="button" onPress={() => onDialog('new-folder')}>
              {texts.newFolder}
            </Button>
          )}
          {chosen.length < 2 && here !== nothing && (
            <Button className="button" onPress={onDetails}>
              {texts.details}
            </Button>
          )}
        </span>
        <span className="buttons selection">
          {chosen.length > 0 && <SelectionButtons {...{ chosen, permissions, onDialog, onClear }} />}
          {chosen.length === 0 && count !== undefined && !isSearch && texts.elementCount(count)}
        </span>
      </AriaToolbar>
      <Filter order={order} onOrder={onOrder} />
    </div>
  );
}

type SelectionButtonsProps = Pick<ToolbarProps, 'chosen' | 'permissions' | 'onDialog' | 'onClear'>;

/** What can be done with all elements that are selected. */
function SelectionButtons({ chosen, permissions, onDialog, onClear }: SelectionButtonsProps) {
  return (
    <>
      {permissions?.has('download') === true && <Download chosen={chosen} />}
      {chosen.length === 1 && permissions?.has('rename') === true && (
        <Button className="button" onPress={() => onDialog('rename')}>
          {texts.rename}
        </Button>
      )}
      {permissions?.has('rename') === true && (
        <Button className="button" onPress={() => onDialog('move')}>
          {texts.move}
        </Button>
      )}
      {permissions?.has('delete') === true && (
        <Button className="button danger" onPress={() => onDialog('remove')}>
          {texts.remove}
        </Button>
      )}
      <span>{texts.selected(chosen.length)}</span>
      <Button className="button" onPress={onClear}>
        {texts.clearSelection}
      </Button>
    </>
  );
}

/** A file as it is, anything else as an archive of its folder; nothing if the elements are in several folders. */
function Download({ chosen }: Pick<ToolbarProps, 'chosen'>) {
  const [only, ...others] = chosen;
  if (only === undefined) return null;
  if (others.length === 0 && !only.directory)
    return <DownloadLink address={addressOf('files', only.id)}>{texts.download}</DownloadLink>;
  const folder = folderOf(only);
  if (others.some((element) => folderOf(element) !== folder)) return null;
  return <DownloadSelection folder={folder} names={chosen.map(({ filename }) => filename)} />;
}

/** Filters a moment after the last key, so that not every letter is a request and an address. */
function Filter({ order, onOrder }: Pick<ToolbarProps, 'order' | 'onOrder'>) {
  const [text, setText] = useState(order.filter);
  useEffect(() => setText(order.filter), [order.filter]);
  useEffect(() => {
    if (text === order.filter) return undefined;
    const timer = setTimeout(() => onOrder({ ...order, filter: text }, order.filter !== ''), 300);
    return () => clearTimeout(timer);
  }, [text, order, onOrder]);
  return (
    <div className="filters">
      <SearchField className="field filter" value={text} onChange={setText}>
        <Label className="visually-hidden">{texts.filterLabel}</Label>
        <Input placeholder={texts.filterHint} />
      </SearchField>
      <label>
        <input
          type="checkbox"
          checked={order.isDeep}
          onChange={({ currentTarget }) => onOrder({ ...order, filter: text, isDeep: currentTarget.checked })}
        />{' '}
        {texts.withSubfolders}
      </label>
    </div>
  );
}
