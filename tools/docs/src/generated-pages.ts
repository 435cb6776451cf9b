import type { GeneratedPage } from './generated-page.ts';
import { interfaceAreas } from './interface-areas.ts';
import { renderAuditCodesPage } from './render-audit-codes-page.ts';
import { renderConfigurationPage } from './render-configuration-page.ts';
import { renderDatabaseFunctionsPage } from './render-database-functions-page.ts';
import { renderDatabaseRolesPage } from './render-database-roles-page.ts';
import { renderEnvExample } from './render-env-example.ts';
import { renderErrorPage } from './render-error-page.ts';
import { renderFileFailuresPage } from './render-file-failures-page.ts';
import { renderJobReferencePage } from './render-job-reference-page.ts';
import { renderOpenapiPage } from './render-openapi-page.ts';
import { serviceConfigurations } from './service-configurations.ts';

/** Every page that is derived from the code. */
export function generatedPages(): GeneratedPage[] {
  return [
    renderErrorPage(),
    renderFileFailuresPage(),
    renderAuditCodesPage(),
    renderJobReferencePage(),
    renderConfigurationPage(serviceConfigurations),
    renderDatabaseRolesPage(),
    renderDatabaseFunctionsPage(),
    ...Object.entries(serviceConfigurations).map(([service, schema]) => renderEnvExample(service, schema)),
    ...Object.entries(interfaceAreas).map(([name, area]) => renderOpenapiPage(name, area)),
  ];
}
