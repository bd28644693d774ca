import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetadataFileStore } from '../../../src/modules/mint/store/metadata-file-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describeMetadataStore } from '../../conformance/metadata-store.ts';
import { createTestDatabase } from '../../support/database.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('files in Postgres', () => {
  describeMetadataStore(async ({ publicUrl, maxBytes }) =>
    createMetadataFileStore({ query: db.query }, { publicUrl: () => publicUrl, maxBytes }),
  );

  it('holds no row whose name is not the hash of its bytes, even against SQL', async () => {
    const sha256 = 'a'.repeat(64);
    await expect(
      db.query(`INSERT INTO metadata_files (sha256, type, bytes) VALUES ($1, 'json', 'x'::bytea)`, [sha256]),
    ).rejects.toThrow(/metadata_files_check/);
  });
});
