import { defineConfig } from 'prisma/config';

/** Only the schema's place is configured: the program connects through `src/adapters/db` and migrates at start. */
export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } });
