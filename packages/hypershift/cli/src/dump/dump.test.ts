import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyCollection } from './collect.ts';
import { indexPage } from './index-page.ts';
import { redacted, redactedText } from './redact.ts';
import { tarOf } from './tar.ts';

describe('redacted', () => {
  it('When it is a Secret, it should keep the keys and nothing of the values, wherever they hide', () => {
    const shown = redacted({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'pull',
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"a":"aHVudGVyMg=="}}',
          kept: 'yes',
        },
        managedFields: [{}],
      },
      data: { a: 'aHVudGVyMg==' },
      stringData: { b: 'hunter2' },
      type: 'Opaque',
    } as never);
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(shown).toMatchObject({
      metadata: { annotations: { kept: 'yes' } },
      data: { a: 'REDACTED (12 characters)' },
      type: 'Opaque',
    });
    expect(shown.metadata).not.toHaveProperty('managedFields');
  });

  it('When a variable is called like a secret, it should lose its value', () => {
    const pod = redacted({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: {
        containers: [
          {
            name: 'c',
            env: [
              { name: 'DB_PASSWORD', value: 'hunter2' },
              { name: 'PORT', value: '80' },
            ],
          },
        ],
      },
    } as never);
    expect(JSON.stringify(pod)).toContain('"value":"80"');
    expect(JSON.stringify(pod)).not.toContain('hunter2');
  });

  it('When keys or tokens stand in a text, it should cut them out', () => {
    const text =
      'Authorization: Bearer abcdefghijklmnop\n-----BEGIN RSA PRIVATE KEY-----\nxyz\n-----END RSA PRIVATE KEY-----\n';
    expect(redactedText(text)).toBe('Authorization: Bearer REDACTED\nREDACTED PRIVATE KEY\n');
  });
});

describe('indexPage', () => {
  it('When objects carry markup, it should stay text', () => {
    const collection = { ...emptyCollection('<b>ns</b>'), problems: ['<script>'] };
    const page = indexPage({
      title: 't',
      takenAt: 'now',
      rootCause: 'a < b',
      description: '<i>',
      collections: [collection],
    });
    expect(page).not.toMatch(/<script>|<b>|<i>/);
    expect(page).toContain('a &lt; b');
  });
});

describe('tarOf', () => {
  it('When tar reads it, it should find every file, long paths included', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tar-'));
    try {
      const long = `hypershift-dump/${'namespace-'.repeat(9)}/${'pod-'.repeat(10)}/container.log`;
      const entries = [
        { path: 'hypershift-dump/a.txt', content: Buffer.from('hello') },
        { path: long, content: Buffer.from('x'.repeat(1000)) },
      ];
      writeFileSync(join(folder, 'x.tar'), tarOf(entries, 0));
      execFileSync('tar', ['-xf', 'x.tar'], { cwd: folder });
      expect(readFileSync(join(folder, 'hypershift-dump/a.txt'), 'utf8')).toBe('hello');
      expect(readFileSync(join(folder, long), 'utf8')).toHaveLength(1000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
