import type { AuditContext } from '@waybill/contracts/messages/audit-event';

/** The context of a record in its three columns. */
export interface ContextColumns {
  readonly address: string | null;
  readonly virtualFileSystem: string | null;
  /** The other members; `null` without any. */
  readonly context: AuditContext | null;
}

const noContext = {};

/** The JSON text of the members that have no column of their own. */
export function otherMembers(context: AuditContext): string | null {
  const { address: _address, virtualFileSystem: _virtualFileSystem, ...others } = context;
  for (const _name in others) return JSON.stringify(others);
  return null;
}

/** The context of a row. */
export function contextOf({ address, virtualFileSystem, context }: ContextColumns): AuditContext {
  if (address === null && virtualFileSystem === null) return context ?? noContext;
  return {
    ...context,
    ...(address !== null && { address }),
    ...(virtualFileSystem !== null && { virtualFileSystem }),
  };
}
