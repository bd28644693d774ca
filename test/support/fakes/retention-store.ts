import type { RetentionStore } from '../../../src/core/ports/retention-store.ts';

/** Keeps everything: what it removes is judged on Postgres. */
export const noRetention: RetentionStore = { clean: async () => new Map() };
