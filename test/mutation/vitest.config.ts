import { defineConfig } from 'vitest/config';

/** The tests of one part; run.mjs says which. */
export default defineConfig({
  test: { include: (process.env['MUTATION_TESTS'] ?? '').split(','), testTimeout: 20_000 },
});
