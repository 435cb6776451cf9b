import type { moveElementEndpoint } from '@waybill/contracts/endpoints/files/elements/move-element';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import { elementTargetOf } from '../../domain/access/file-target.ts';
import type { MoveElement } from '../../domain/elements/move-element.ts';
import { fileResult } from '../file-result.ts';
import { preconditionsOf } from '../preconditions-of.ts';

/** Renames or moves an element. */
export function createMoveElementHandler(ports: {
  moveElement: MoveElement;
}): SessionHandler<typeof moveElementEndpoint, Caller> {
  return async ({ body: { from, to, overwrite }, headers, principal: caller }) => {
    const places = { from: elementTargetOf(from), to: elementTargetOf(to) };
    const conditions = preconditionsOf(headers, 'change');
    const moved = await ports.moveElement(caller, { ...places, overwrite, conditions });
    return { status: 200, body: fileResult('Moved', moved.kind === 'file' ? moved : undefined) };
  };
}
