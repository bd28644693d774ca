import { createCertificateRows } from '../engine/signing/store/certificate-rows.ts';
import { createKeyRegistry } from '../engine/signing/store/key-registry.ts';
import { createKeyRows } from '../engine/signing/store/key-rows.ts';
import { createSignatureBooks } from '../engine/signing/store/signature-books.ts';
import { createSigningBooks } from '../engine/signing/store/signing-books.ts';
import { createQuarantineStore } from '../engine/transactions/store/quarantine-store.ts';
import { createApiUsageStore } from '../modules/keys/store/api-usage-store.ts';
import { createIdempotencyStore } from '../modules/keys/store/idempotency-store.ts';
import { createIpBlocks } from '../modules/keys/store/ip-blocks.ts';
import { createIndexerLeases } from '../modules/market/store/indexer-leases.ts';
import { createHealthStore } from '../modules/operations/store/health-store.ts';
import { createIncidentStore } from '../modules/operations/store/incident-store.ts';
import { createRetentionStore } from '../modules/operations/store/retention-store.ts';
import { createOrderFeedStore } from '../modules/orders/store/order-feed-store.ts';
import { createSubmissionStore } from '../modules/submissions/store.ts';
import { createSourceCounts } from '../modules/trading/store/source-counts.ts';
import { createVerdictStore } from '../modules/trading/store/verdict-store.ts';
import { createWebhookStore } from '../modules/webhooks/store.ts';
import { createApiLimiter } from '../platform/db/api-limiter.ts';
import type { PrismaDatabase } from '../platform/db/prisma-database.ts';

/** The tables of one noun each, that no transaction joins with another noun's. Those that one does are the database's own. */
export function openStores(db: PrismaDatabase) {
  return {
    quarantines: createQuarantineStore(db.query),
    keyRegistry: createKeyRegistry(db.query),
    signatures: createSignatureBooks(db.query),
    /** The rows that the signer compares its journal with, and its own look at the chain. */
    signingBooks: createSigningBooks(db.query),
    keyRows: createKeyRows(db.query),
    certificateRows: createCertificateRows(db.query),
    indexerLeases: createIndexerLeases({ query: db.query }),
    orderFeed: createOrderFeedStore({ query: db.query }),
    apiLimiter: createApiLimiter({ query: db.query }),
    apiUsage: createApiUsageStore(db),
    sourceCounts: createSourceCounts(db),
    verdicts: createVerdictStore(db),
    idempotency: db.open(createIdempotencyStore),
    submissions: createSubmissionStore({ query: db.query }),
    webhooks: createWebhookStore({ query: db.query }),
    retention: createRetentionStore(db.query),
    /** Of each part, for `/status`. */
    healthDays: createHealthStore(db.query),
    incidents: createIncidentStore(db.query),
    ipBlocks: db.open(createIpBlocks),
  };
}
