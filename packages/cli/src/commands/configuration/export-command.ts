import { renderDocument } from '@waybill/configuration/document/render-document';
import { exportSources } from '@waybill/directory/export-source';
import type { Command } from '../../command.ts';
import { announceDatabase } from '../../database/announce-database.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { asksPlatform, orInDatabase } from '../../platform/asks-platform.ts';
import { givenTexts } from '../../platform/option-values.ts';
import { exportRemotelyCommand, formatOf, printDocuments } from './export-remotely.ts';

/** Prints the configuration of a database or a platform as documents. */
export const exportCommand: Command = {
  ...exportRemotelyCommand,
  options: orInDatabase(exportRemotelyCommand.options),
  run: async (invocation) => {
    if (await asksPlatform(invocation)) return await exportRemotelyCommand.run(invocation);
    announceDatabase(invocation);
    const format = formatOf(invocation);
    const { source } = givenTexts(invocation.values, ['source']);
    const exported = await withPreparedDatabase(invocation, (db) => exportSources(db, source === '' ? null : source));
    printDocuments(
      invocation,
      exported.map(({ source: owner, document }) => ({ source: owner, document: renderDocument(document, format) })),
    );
  },
};
