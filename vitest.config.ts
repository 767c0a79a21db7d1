import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/*/src/**/*.test.ts', 'e2e/**/*.test.ts'],
    // One process per core; modules are shared inside it, so schemas and tables load once.
    pool: 'forks',
    maxWorkers: '100%',
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
