import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '../../..'),
  test: {
    include: ['e2e/real-kubernetes/inside/*.inside.ts'],
    pool: 'forks',
    // Each takes the ports of a control plane.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
