import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { memo } from 'react';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { texts } from '../texts.ts';
import { KindIcon } from './kind-icon.tsx';

/** A row of the grid, whose element may not have arrived yet. */
export interface FileRowProps {
  readonly index: number;
  /** Its distance from the first row, in pixels. */
  readonly top: number;
  readonly element: FileElement | undefined;
  /** Whether the Tab key leads to it. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onActivate: (index: number) => void;
  /** `isRange`: with all rows from the one before. */
  readonly onToggle: (element: FileElement, index: number, isRange: boolean) => void;
  readonly onOpen: (element: FileElement) => void;
}

/** One element of a folder. A click selects it, a click on its name opens it. */
export const FileRow = memo(function FileRow(props: FileRowProps) {
  const { index, top, element, isActive, isSelected, onActivate, onToggle, onOpen } = props;
  const position = { transform: `translateY(${top}px)` };
  const row = {
    role: 'row',
    'aria-rowindex': index + 2,
    'data-row': index,
    'data-place': element?.id,
    style: position,
    tabIndex: isActive ? 0 : -1,
  };
  if (element === undefined) {
    return (
      <div {...row} className="grid-row" aria-busy="true">
        <span role="gridcell">{texts.loading}</span>
      </div>
    );
  }
  const { filename, directory, attributes } = element;
  return (
    <div {...row} className="grid-row" aria-selected={isSelected} onFocus={() => onActivate(index)}>
      <span role="gridcell" className="cell-select">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={texts.selectElement(visibleText(filename))}
          onChange={({ nativeEvent }) =>
            onToggle(element, index, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
          }
        />
      </span>
      <span role="gridcell" className="cell-name">
        <button type="button" className="name" tabIndex={-1} onClick={() => onOpen(element)}>
          <KindIcon isFolder={directory} /> <OutsideText text={filename} />
        </button>
      </span>
      <span role="gridcell" className="cell-size">
        {directory ? texts.folderKind : formatBytes(Number(attributes.size ?? 0))}
      </span>
      <span role="gridcell" className="cell-time">
        {formatTime(attributes.putDate)}
      </span>
    </div>
  );
});
