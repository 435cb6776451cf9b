import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { useEffect, useState } from 'react';
import { Button, Input, Label, SearchField, Toolbar as AriaToolbar } from 'react-aria-components';
import { messages } from '../../page-kit/messages/messages.ts';
import { archiveAddress, type ListingOrder } from '../api/elements.ts';
import { addressOf } from '../api/request-files.ts';
import { usePermissions } from '../api/use-permissions.ts';
import type { OpenDialog } from './dialogs.tsx';
import { UploadButton, UploadFolderButton } from './upload-buttons.tsx';

/** What can be done in a folder, and with the elements that are selected in it. */
export interface ToolbarProps {
  readonly path: string;
  readonly chosen: readonly FileElement[];
  readonly order: ListingOrder;
  readonly onOrder: (order: ListingOrder) => void;
  readonly onDialog: (dialog: OpenDialog) => void;
  /** Shows the details of the only element that is selected, or of the folder. */
  readonly onDetails: () => void;
}

/** Offers what the user may do here, and nothing else. */
export function Toolbar({ path, chosen, order, onOrder, onDialog, onDetails }: ToolbarProps) {
  const [only] = chosen;
  const here = usePermissions(path);
  const there = usePermissions(only?.id ?? path);
  return (
    <div className="toolbar">
      <AriaToolbar className="buttons" aria-label={messages.files}>
        {here.has('upload') && <UploadButton path={path} />}
        {here.has('upload') && here.has('createFolder') && <UploadFolderButton path={path} />}
        {here.has('createFolder') && (
          <Button className="button" onPress={() => onDialog('new-folder')}>
            {messages.newFolder}
          </Button>
        )}
        {chosen.length < 2 && (
          <Button className="button" onPress={onDetails}>
            {messages.details}
          </Button>
        )}
        {only !== undefined && there.has('download') && (
          <a className="button" href={downloadAddress(path, chosen)} download>
            {chosen.length === 1 && !only.directory ? messages.download : messages.downloadArchive}
          </a>
        )}
        {only !== undefined && chosen.length === 1 && there.has('rename') && (
          <Button className="button" onPress={() => onDialog('rename')}>
            {messages.rename}
          </Button>
        )}
        {only !== undefined && there.has('delete') && (
          <Button className="button danger" onPress={() => onDialog('remove')}>
            {messages.remove}
          </Button>
        )}
        {only !== undefined && <span>{messages.selected(chosen.length)}</span>}
      </AriaToolbar>
      <Filter order={order} onOrder={onOrder} />
    </div>
  );
}

/** A file as it is, anything else as an archive. */
function downloadAddress(path: string, chosen: readonly FileElement[]): string {
  const [only] = chosen;
  if (chosen.length === 1 && only?.directory === false) return addressOf('files', only.id);
  return archiveAddress(
    path,
    chosen.map(({ filename }) => filename),
  );
}

/** Filters a moment after the last key, so that not every letter is a request and an address. */
function Filter({ order, onOrder }: Pick<ToolbarProps, 'order' | 'onOrder'>) {
  const [text, setText] = useState(order.filter);
  useEffect(() => setText(order.filter), [order.filter]);
  useEffect(() => {
    if (text === order.filter) return undefined;
    const timer = setTimeout(() => onOrder({ ...order, filter: text }), 300);
    return () => clearTimeout(timer);
  }, [text, order, onOrder]);
  return (
    <div className="filters">
      <SearchField className="field filter" value={text} onChange={setText}>
        <Label className="visually-hidden">{messages.filterLabel}</Label>
        <Input placeholder={messages.filterHint} />
      </SearchField>
      <label>
        <input
          type="checkbox"
          checked={order.isDeep}
          onChange={({ currentTarget }) => onOrder({ ...order, filter: text, isDeep: currentTarget.checked })}
        />{' '}
        {messages.withSubfolders}
      </label>
    </div>
  );
}
