import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import { ProgramFlags } from '@hypershift-ts/kube-programs';
import { describe, expect, it } from 'vitest';
import { documentsOf, providerImagesOf } from './operator-flags.ts';

const context = (env: Record<string, string> = {}) =>
  ({ env, path: (file: string) => file }) as unknown as BuiltinContext;
const s3 = '--oidc-storage-provider-s3';

describe('providerImagesOf', () => {
  it('When images are given, they should be those of their platforms', () => {
    const flags = new ProgramFlags(['--provider-images=kubevirt=quay.io/capk:v1,Agent=quay.io/agent@sha256:abc']);
    expect(providerImagesOf(flags)).toEqual({ KubeVirt: 'quay.io/capk:v1', Agent: 'quay.io/agent@sha256:abc' });
  });

  it('When a platform is unknown, those that are known should be named', () => {
    expect(() => providerImagesOf(new ProgramFlags(['--provider-images=mars=x']))).toThrow(/mars.*KubeVirt/);
    expect(() => providerImagesOf(new ProgramFlags(['--provider-images=kubevirt']))).toThrow('name=value');
  });
});

describe('documentsOf', () => {
  it('When no flag names a place, there should be none', () => {
    expect(documentsOf(new ProgramFlags([]), context())).toBeUndefined();
  });

  it('When only half of a place is named, it should say what is missing', () => {
    expect(() => documentsOf(new ProgramFlags([`${s3}-bucket-name=a`]), context())).toThrow(
      '-credentials belong together',
    );
  });

  it('When a bucket is named, documents should go there with the credentials of the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oidc-'));
    const file = join(folder, 'credentials');
    writeFileSync(file, '[default]\naws_access_key_id = AKIA1\naws_secret_access_key = secret\n');
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(
        `${request.method} ${request.url} ${/Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1]}`,
      );
      request.resume().on('end', () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const flags = new ProgramFlags([`${s3}-bucket-name=a`, `${s3}-region=eu-west-1`, `${s3}-credentials=${file}`]);
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const place = documentsOf(flags, context({ AWS_ENDPOINT_URL_S3: endpoint }));
      await place?.publish('demo-abcde', new Map([['openid/v1/jwks', '{}']]));
      expect(seen).toEqual(['PUT /a/demo-abcde/openid/v1/jwks AKIA1']);
    } finally {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    }
  });
});
