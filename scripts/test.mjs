// Runs every test and ends with one plain line of counts, whatever the reporter looks like.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

const report = '.cache/test-report.json';
mkdirSync('.cache', { recursive: true });
rmSync(report, { force: true });

const run = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);

if (!existsSync(report)) {
  console.error('the test runner ended without a report');
  process.exit(run.status || 1);
}
const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } = JSON.parse(
  readFileSync(report, 'utf8'),
);
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`);
process.exit(run.status === 0 && success ? 0 : run.status || 1);
