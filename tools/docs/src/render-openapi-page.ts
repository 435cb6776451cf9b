import { renderOpenapi } from '@waybill/http-kit/openapi/render-openapi';
import type { GeneratedPage } from './generated-page.ts';
import type { InterfaceArea } from './interface-areas.ts';

/** `docs/openapi/<area>.json`: the contracts of an area as an OpenAPI 3.1 document. */
export function renderOpenapiPage(name: string, area: InterfaceArea): GeneratedPage {
  const { title, version = '1.0.0', description, endpoints, failureForm } = area;
  const document = renderOpenapi(endpoints, { title, version, description }, failureForm);
  return { path: `docs/openapi/${name}.json`, text: `${JSON.stringify(document, null, 2)}\n` };
}
