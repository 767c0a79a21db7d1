import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

describe('generated files', () => {
  it('When the schemas are compared with deploy/crds and docs/reference/api, it should find nothing stale', () => {
    const root = fileURLToPath(new URL('../../../../../', import.meta.url));
    const check = () => execFileSync(process.execPath, ['scripts/crds.mjs', '--check'], { cwd: root, stdio: 'pipe' });
    expect(check).not.toThrow();
  });
});
