import type { ErrorCode } from '@waybill/contracts/errors/error-codes';

/** The events of what users do with their own accounts, for logs and metrics. */
export interface AccountEvents {
  passwordChanged(): void;
  sshKeyChanged(change: 'added' | 'deleted'): void;
  passwordRefused(code: ErrorCode): void;
}
