import { buildWebApplications } from './build-web-applications.ts';
import { areUpToDate, stampOfSources } from './web-applications.ts';

// Whatever builds it, the tests too: React has a larger and slower development build otherwise.
process.env['NODE_ENV'] = 'production';

// Builds the web applications unless they are up to date: `npm start`, the tests and the image do the same.
const stamp = await stampOfSources();
if (!(await areUpToDate(stamp))) await buildWebApplications(stamp);
