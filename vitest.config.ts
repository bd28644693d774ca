import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * The suffix of a test says what it needs: `x.test.ts` nothing but Node, `x.int.test.ts` servers on loopback
 * (embedded ones unless DATABASE_URL / REDIS_URL name others), `x.e2e.test.ts` a browser, `x.prod.test.ts` Debian's Postgres and
 * Redis. A time limit here ends a test that hangs; it judges no speed, so a machine with other work passes too.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.int.test.ts', '**/*.e2e.test.ts', '**/*.prod.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // One less than the machine has is Vitest's own choice, which on two cores leaves one idle.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'int',
          include: ['test/**/*.int.test.ts', 'packages/*/test/**/*.int.test.ts'],
          globalSetup: ['test/support/embedded.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // One more than there are processors: half of the time these wait for restarts, time limits and servers.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.e2e.test.ts'],
          // For pages over a tape that a test fills itself; the program under test brings its own.
          globalSetup: ['test/support/embedded.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'prod',
          include: ['test/**/*.prod.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
