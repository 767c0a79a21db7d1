import { readFile } from 'node:fs/promises';
import { gcsDocuments, type OidcDocuments, parseAwsCredentials, s3Documents } from '@hypershift-ts/hypershift-operator';
import { platforms, type PlatformType } from '@hypershift-ts/hypershift-platforms';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import type { ProgramFlags } from '@hypershift-ts/kube-programs';

/** `a=b,c=d` of a flag. */
export function pairsOf(flags: ProgramFlags, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    flags.list(name).map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0) throw new Error(`--${name}: ${JSON.stringify(pair)} is not of the form name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** `--provider-images KubeVirt=image,...`: Cluster API providers by platform, whatever the case. */
export function providerImagesOf(flags: ProgramFlags): { readonly [type in PlatformType]?: string } {
  const types = new Map(platforms.map(({ type }) => [type.toLowerCase(), type]));
  return Object.fromEntries(
    Object.entries(pairsOf(flags, 'provider-images')).map(([name, image]) => {
      const type = types.get(name.toLowerCase());
      if (!type)
        throw new Error(`--provider-images: there is no platform ${name}; use ${[...types.values()].join(', ')}`);
      return [type, image];
    }),
  );
}

/** Where documents are published that clouds trust hosted clusters by; undefined when no flag names a place. */
export function documentsOf(flags: ProgramFlags, { env, path }: BuiltinContext): OidcDocuments | undefined {
  const s3 = (name: string) => flags.text(`oidc-storage-provider-s3-${name}`);
  const [bucket, region, file] = [s3('bucket-name'), s3('region'), s3('credentials')];
  if (bucket ?? region ?? file) {
    if (!bucket || !region || !file)
      throw new Error('--oidc-storage-provider-s3-bucket-name, -region and -credentials belong together');
    const endpoint = env['AWS_ENDPOINT_URL_S3'];
    const credentials = async () => parseAwsCredentials(await readFile(path(file), 'utf8'));
    return s3Documents({ bucket, region, credentials, ...(endpoint ? { endpoint } : {}) });
  }
  const gcs = flags.text('gcp-oidc-storage-bucket-name');
  if (!gcs) return undefined;
  const key = env['GOOGLE_APPLICATION_CREDENTIALS'];
  const endpoint = env['STORAGE_EMULATOR_HOST'];
  return gcsDocuments({
    bucket: gcs,
    ...(key ? { key: () => readFile(path(key), 'utf8') } : {}),
    ...(endpoint ? { endpoint } : {}),
  });
}
