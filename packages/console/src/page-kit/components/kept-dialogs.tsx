import { createContext, Fragment, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';

/** What a dialog is told while it is open. */
export interface KeptDialogState {
  /** What opened it has left the page: its row has vanished, or its state is another one. */
  readonly isOutdated: boolean;
  readonly onClose: () => void;
}

/** A dialog as it was when it was opened. */
type Render = (state: KeptDialogState) => ReactNode;

interface Room {
  open(render: Render): number;
  outdate(id: number): void;
}

interface KeptDialog {
  readonly id: number;
  readonly isOutdated: boolean;
  readonly render: Render;
}

const RoomContext = createContext<Room | undefined>(undefined);

/** Shows the dialogs of a page above its rows: a dialog stays open when the row that opened it vanishes. */
export function DialogRoom(props: {
  /** Default: false. The page is kept, and not shown. */
  readonly isHidden?: boolean;
  readonly children: ReactNode;
}) {
  const { isHidden = false, children } = props;
  const [dialogs, setDialogs] = useState<readonly KeptDialog[]>([]);
  const lastId = useRef(0);
  const room = useMemo<Room>(
    () => ({
      open(render) {
        const id = (lastId.current += 1);
        setDialogs((open) => [...open, { id, isOutdated: false, render }]);
        return id;
      },
      outdate(id) {
        setDialogs((open) => open.map((dialog) => (dialog.id === id ? { ...dialog, isOutdated: true } : dialog)));
      },
    }),
    [],
  );
  const close = (id: number): void => setDialogs((open) => open.filter((dialog) => dialog.id !== id));
  return (
    <RoomContext value={room}>
      {children}
      {!isHidden &&
        dialogs.map(({ id, isOutdated, render }) => (
          <Fragment key={id}>{render({ isOutdated, onClose: () => close(id) })}</Fragment>
        ))}
    </RoomContext>
  );
}

/** What opens a dialog in the room of the page. The dialog keeps what it was opened for, and learns when its opener is gone. */
export function useKeptDialog(): (render: Render) => void {
  const room = useContext(RoomContext);
  if (room === undefined) throw new Error('A dialog was asked for outside a DialogRoom.');
  const opened = useRef<number>(undefined);
  useEffect(
    () => () => {
      if (opened.current !== undefined) room.outdate(opened.current);
    },
    [room],
  );
  return (render) => {
    opened.current = room.open(render);
  };
}
