import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { releaseErrorCodes } from './errors.ts';

const page = new URL('../../../../docs/errors.md', import.meta.url);

const again = {
  now: 'at once',
  backoff: 'by itself, later and later',
  'after-user-change': 'when what it names has changed',
  never: 'never',
} as const;

const rows = Object.entries(releaseErrorCodes).map(
  ([code, { retry, meaning }]) => `| \`${code}\` | ${meaning} | ${again[retry]} |`,
);
const text = `# Errors about releases

Made from \`packages/hypershift/release/src/errors.ts\` (\`UPDATE_DOCS=1 npx vitest run packages/hypershift/release/src/errors.test.ts\`).
Each is an \`Error\` of class \`ReleaseError\` with \`code\`, \`message\`, \`fix\` and \`field\`; message and fix stand in the conditions
\`ValidReleaseImage\`, \`Progressing\` and \`SupportedHostedCluster\` of a HostedCluster, in the conditions of a NodePool, and on the command
line.

| code | means | is tried again |
| --- | --- | --- |
${rows.join('\n')}
`;

describe('docs/errors.md', () => {
  it('When codes change, it should say the same', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, text);
    expect(readFileSync(page, 'utf8')).toBe(text);
  });
});
