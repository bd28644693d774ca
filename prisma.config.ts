import { defineConfig } from 'prisma/config';

/** Only the schema's folder is configured: the program connects through `src/platform/db` and migrates at start. */
export default defineConfig({ schema: 'prisma/schema', migrations: { path: 'prisma/migrations' } });
