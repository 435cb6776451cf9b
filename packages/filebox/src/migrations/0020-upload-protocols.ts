import type { Migration } from '@waybill/postgres/migrate';

/** How an upload arrives, for operators: SFTP, HTTP, or null, which is a job. */
export const uploadProtocols: Migration = {
  name: '0020_upload_protocols',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE filebox.uploads ADD COLUMN protocol text;
      UPDATE filebox.uploads SET protocol = CASE WHEN resumable THEN 'SFTP' WHEN kept_until IS NOT NULL THEN 'HTTP' END;
    `);
  },
};
