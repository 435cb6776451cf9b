import type { AuditedCircumstances, AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import { z } from 'zod';
import { errorStatus } from '../failures/error-status.ts';
import { describeRequest, type NoteRefusal, type RefusedRequest } from './refused-request.ts';

/** A refused request of an administrator, for the audit log. */
export interface ManagementRefusal {
  /** The user at an address. */
  readonly subject: string;
  readonly fact: AuditedFact;
  readonly circumstances: AuditedCircumstances;
}

const namedSchema = z.object({ userName: z.string() });

/** Failures of logins and of changes of passwords, which have their own records. */
const recorded: ReadonlySet<string> = new Set([
  'invalid_credentials',
  'password_change_required',
  'password_refused',
  'oidc_login_refused',
  'second_factor_required',
  'second_factor_refused',
  'second_factor_setup_required',
]);

/** Methods that change nothing: only those who may not use them at all are audited. */
const readers = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The parts of audit records that all records of a process have in common. */
interface Site {
  readonly nodeId: string;
  readonly managerName: string;
}

/** Audits the refused requests of a management interface in this book. */
export function auditManagement(book: { note(refusal: ManagementRefusal): Promise<void> }, site: Site): NoteRefusal {
  return async (request) => {
    const refusal = managementRefusal(request, site);
    if (refusal !== undefined) await book.note(refusal);
  };
}

/**
 * What is audited of a refused request to a management interface: requests without a valid token, those that the user is not
 * permitted, and refused changes. Failed logins and password changes have their own records.
 */
function managementRefusal(request: RefusedRequest, site: Site): ManagementRefusal | undefined {
  const { endpoint, error, principal, method, address } = request;
  const status = errorStatus(error.code);
  const isDenied = status === 401 || status === 403 || status === 429;
  if (recorded.has(error.code) || status >= 500 || (!isDenied && readers.has(method))) return undefined;
  const user = namedSchema.safeParse(principal).data?.userName ?? '';
  const described = describeRequest({ method, address });
  const client = currentClient();
  return {
    subject: JSON.stringify([user, client.address]),
    fact: status === 401 ? 'requestUnauthenticated' : 'requestRefused',
    circumstances: {
      ...site,
      user,
      entityType: 'Endpoint',
      entityName: endpoint.id,
      entityId: described,
      names: { request: described, reason: error.message },
      context: { ...client, outcome: error.code, reason: error.message },
    },
  };
}
