import { defineConfig } from 'vitest/config';

/** The tests of one part; run.mjs says which. */
export default defineConfig({
  test: {
    include: (process.env['MUTATION_TESTS'] ?? '').split(','),
    testTimeout: 20_000,
    // Files of pure tests may share what they import: most of a run's time is that.
    isolate: process.env['MUTATION_SHARED'] !== 'yes',
  },
});
