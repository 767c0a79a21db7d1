import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole-system tests take the longest, whatever the size of their files: they come first, so that no core idles at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

const longest = ['/e2e/hosted-cluster-end/', '/e2e/node-pools/', '/e2e/'];

function rank(file: string): number {
  const found = longest.findIndex((part) => file.includes(part));
  return found < 0 ? longest.length : found;
}

export default defineConfig({
  test: {
    include: ['packages/*/*/src/**/*.test.ts', 'e2e/**/*.test.ts'],
    // One process per core; modules are shared inside it, so schemas and tables load once.
    pool: 'forks',
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
