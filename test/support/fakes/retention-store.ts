import type { RetentionStore } from '../../../src/modules/operations/store/retention-store-port.ts';

/** Keeps everything: what it removes is judged on Postgres. */
export const noRetention: RetentionStore = { clean: async () => new Map() };
