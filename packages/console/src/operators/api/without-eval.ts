import { z } from 'zod';

// The content security policy forbids what Zod compiles schemas with. This must run before any schema is made.
z.config({ jitless: true });
