import { configSchema as audit } from '@waybill/audit/config';
import { createDocumentSchema } from '@waybill/configuration/document/document-schema';
import { configSchema as httpFiles } from '@waybill/http-files/config';
import { configSchema as jobManager } from '@waybill/job-manager/config';
import { configSchema as sftpGateway } from '@waybill/sftp-gateway/config';
import type { z } from 'zod';
import type { GeneratedPage } from './generated-page.ts';
import { interfaceAreas } from './interface-areas.ts';
import { renderAuditCodesPage } from './render-audit-codes-page.ts';
import { renderBrowserFlowsPage } from './render-browser-flows-page.ts';
import { renderCommandReferencePage } from './render-command-reference-page.ts';
import { renderConfigurationPage, renderEnvExample } from './render-configuration-page.ts';
import { renderDatabaseFunctionsPage } from './render-database-functions-page.ts';
import { renderDatabaseRolesPage } from './render-database-roles-page.ts';
import { renderErrorPage } from './render-error-page.ts';
import { renderFileFailuresPage } from './render-file-failures-page.ts';
import { renderJobReferencePage } from './render-job-reference-page.ts';
import { renderOpenapiPage } from './render-openapi-page.ts';
import { renderRolesPage } from './render-roles-page.ts';
import { renderTaskPages } from './render-task-pages.ts';
import { renderTaskIndex } from './task-coverage/render-task-index.ts';

/** The configuration schema of every service, by the name of the service's folder. */
const serviceConfigurations: Readonly<Record<string, z.ZodObject>> = {
  'sftp-gateway': sftpGateway,
  'http-files': httpFiles,
  'job-manager': jobManager,
  audit,
};

/** Every page that is derived from the code. */
export function generatedPages(): GeneratedPage[] {
  return [
    renderErrorPage(),
    renderFileFailuresPage(),
    renderAuditCodesPage(),
    renderJobReferencePage(),
    renderRolesPage(),
    renderBrowserFlowsPage(),
    renderCommandReferencePage(),
    renderTaskIndex(),
    ...renderTaskPages(),
    renderConfigurationPage(serviceConfigurations),
    { path: 'docs/configuration-schema.json', text: `${JSON.stringify(createDocumentSchema(), undefined, 2)}\n` },
    renderDatabaseRolesPage(),
    renderDatabaseFunctionsPage(),
    ...Object.entries(serviceConfigurations).map(([service, schema]) => renderEnvExample(service, schema)),
    ...Object.entries(interfaceAreas).map(([name, area]) => renderOpenapiPage(name, area)),
  ];
}
