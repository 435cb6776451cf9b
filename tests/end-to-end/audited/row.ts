import type { HttpClient } from '@waybill/test-kit/create-http-client';
import type { SFTPWrapper } from 'ssh2';
import type { PlatformProcess } from '../platform-process.ts';
import type { RunCommand } from './run-command.ts';

/** How the operations of the table reach the platform. */
export interface Doors {
  readonly platform: PlatformProcess;
  /** Logged in as acme. */
  readonly sftp: SFTPWrapper;
  /** Logged in as acme. */
  readonly partner: HttpClient;
  /** The same in another session: of one session ten different refusals are recorded in a minute. */
  readonly other: HttpClient;
  /** Logged in as globex, whose VFS can have one file and one folder. */
  readonly limited: HttpClient;
  readonly manager: HttpClient;
  /** Of the administrator. */
  readonly token: string;
  /** Of a user with the role Users. */
  readonly viewerToken: string;
  /** Runs `waybill`, and returns what it printed. */
  readonly waybill: RunCommand;
}

/** Where an operation is done. `platform` does it itself. */
export type DoorName = 'sftp' | 'http' | 'management' | 'command line' | 'platform';

/** An operation with one of its outcomes, and the record of it. */
export interface Row {
  /** May be refused: that is the outcome. */
  act(doors: Doors): Promise<unknown>;
  readonly door: DoorName;
  /** The number of records; one by default. */
  readonly times?: number;
  readonly expected: {
    readonly auditCode: string;
    readonly auditOperation: string;
    readonly dataoneUser: string;
    readonly entityName?: string;
    /** The code of the error; absent if it succeeds. */
    readonly outcome?: string;
    /** Members that the context has beside those of its door. */
    readonly context?: Readonly<Record<string, unknown>>;
  };
}

/** Rows by what they do. */
export type Rows = Readonly<Record<string, Row>>;

/** Resolves when the callback was called, also with an error. */
export function settle(ask: (done: (error?: Error | null) => void) => void): Promise<unknown> {
  return new Promise((resolve) => {
    ask((error) => resolve(error ?? undefined));
  });
}

/** A row with several records. */
export function repeated(row: Row, times: number): Row {
  return { ...row, times };
}

/** An operation that another row has done. */
export const doneBefore: Row['act'] = () => Promise.resolve();

/**
 * Rows of a user. `expected` is `<auditCode> <auditOperation> <entityName> <outcome>`; without an outcome it succeeds, `*` is
 * any name, and `_` is a blank of a name.
 */
export function rowOf(door: DoorName, dataoneUser: string) {
  return (expected: string, act: Row['act'], context?: Row['expected']['context']): Row => {
    const [auditCode = '', auditOperation = '', entityName = '*', outcome] = expected.split(' ');
    return {
      act,
      door,
      expected: {
        auditCode,
        auditOperation: auditOperation === 'PASSWORD_CHANGE' ? 'PASSWORD CHANGE' : auditOperation,
        dataoneUser,
        ...(entityName !== '*' && { entityName: entityName.replaceAll('_', ' ') }),
        ...(outcome !== undefined && { outcome }),
        ...(context && { context }),
      },
    };
  };
}
