import { CodedError } from '@waybill/contracts/errors/coded-error';
import { logSpecification, raiseErrorSpecification } from '@waybill/contracts/tasks/flow-specifications';
import { defineTask } from '../define-task.ts';

/** Writes a line into the log of the step. */
export const logTask = defineTask({
  ...logSpecification,
  run: ({ message, level }, { log }) => {
    log(level === 'info' ? message : `${level}: ${message}`);
    return Promise.resolve({ message });
  },
});

/** Fails as the workflow says. */
export const raiseErrorTask = defineTask({
  ...raiseErrorSpecification,
  run: ({ message, code }) => Promise.reject(new CodedError(code, { detail: message })),
});
