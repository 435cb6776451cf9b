import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOfPlace } from '@waybill/contracts/tasks/file-place';
import { sendEmailSpecification } from '@waybill/contracts/tasks/network-specifications';
import type { OpenedFile } from '../../domain/workflows/task.ts';
import { defineTask } from '../define-task.ts';

/** Many servers refuse larger mails. */
const attachedBytesAtMost = 25 * 1024 * 1024;

/** Sends a mail. It may be sent more than once, with the same Message-ID. */
export const sendEmailTask = defineTask({
  ...sendEmailSpecification,
  run: async ({ connection, to, cc, subject, text, attachments }, { connections, files, signal, log }) => {
    await using opened = new AsyncDisposableStack();
    const attached: { filename: string; file: OpenedFile }[] = [];
    for (const path of attachments)
      attached.push({ filename: nameOfPlace(path), file: opened.use(await files.open(path)) });
    const size = attached.reduce((sum, { file }) => sum + file.size, 0);
    if (size > attachedBytesAtMost) {
      const detail = `attachments: they have ${size} bytes, and a mail may have ${attachedBytesAtMost}`;
      throw new CodedError('validation_failed', { detail });
    }
    const messageId = `<${connections.idempotencyKey}@waybill>`;
    const mail = {
      to,
      cc,
      subject,
      text,
      messageId,
      attachments: attached.map(({ filename, file }) => ({ filename, content: file.content() })),
    };
    const { accepted } = await connections.sendMail(connection, mail, signal);
    log(`Sent ${messageId} to ${accepted} recipients by ${connection}`);
    return { messageId, recipients: String(accepted) };
  },
});
