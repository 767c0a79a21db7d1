import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { platforms } from '@hypershift-ts/hypershift-platforms';
import { errorMessage, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { infrastructureProviders, type InfrastructureProvider } from '@hypershift-ts/machines-providers';
import { exitCodes, UserError } from '../cli-error.ts';
import { type AccessOptions, withConnection } from '../cluster-access/index.ts';
import { terminalOf, yamlDocuments } from '../terminal/index.ts';
import { productVersion } from '../version/version.ts';
import { install, operatorAvailable } from './apply.ts';
import { helmChart } from './helm-chart.ts';
import { installCrds, installResources } from './objects.ts';
import { installDefaults, type InstallOptions, type OidcBucket } from './options.ts';
import { webhookCertificates } from './webhook-certificates.ts';

export interface InstallFlags extends AccessOptions {
  readonly namespace: string;
  readonly hypershiftImage?: string;
  readonly replicas: number;
  readonly pullSecret?: string;
  readonly additionalTrustBundle?: string;
  readonly registryOverrides?: string;
  readonly providerImages?: string;
  readonly oidcStorageProviderS3BucketName?: string;
  readonly oidcStorageProviderS3Region?: string;
  readonly oidcStorageProviderS3Credentials?: string;
  readonly oidcStorageProviderS3Secret?: string;
  readonly oidcStorageProviderS3SecretKey?: string;
  readonly gcpOidcStorageBucketName?: string;
  readonly enableDefaultingWebhook?: boolean;
  readonly enableValidatingWebhook?: boolean;
  readonly enableAdminRbacGeneration?: boolean;
  readonly techPreviewNoUpgrade?: boolean;
  readonly installRoutes?: boolean;
  readonly limitCrdInstall?: readonly string[];
  readonly installScope?: 'all' | 'crds' | 'resources';
  readonly outputs?: 'all' | 'crds' | 'resources';
  readonly format?: 'yaml' | 'json';
  readonly outputFile?: string;
  readonly render?: boolean;
  readonly renderSensitive?: boolean;
  readonly waitUntilAvailable?: boolean;
  readonly timeout?: number;
}

async function content(path: string | undefined, flag: string): Promise<string | undefined> {
  if (!path) return undefined;
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UserError(`--${flag} ${path}: cannot be read: ${errorMessage(cause)}`, 'Check the path.', { cause });
  });
}

/** Platforms without machines of their own need no kinds. */
function providersOf(names: readonly string[]): readonly InfrastructureProvider[] {
  const known = new Map(infrastructureProviders.map((name) => [name.toLowerCase(), name]));
  const others = new Set(['none', 'powervs']);
  return names.flatMap((name) => {
    const lower = name.toLowerCase();
    const found = known.get(lower === 'powervs' ? 'ibmcloud' : lower);
    if (found) return [found];
    if (others.has(lower)) return [];
    throw new UserError(
      `--limit-crd-install ${name}: unknown platform`,
      `There are ${[...known.keys(), ...others].join(', ')}.`,
    );
  });
}

/** Upstream's name, so that an installation over another one finds its credentials. */
const bucketSecret = 'hypershift-operator-oidc-provider-s3-credentials';

async function bucketOf(flags: InstallFlags): Promise<OidcBucket | undefined> {
  const {
    oidcStorageProviderS3BucketName: name,
    oidcStorageProviderS3Region: region,
    oidcStorageProviderS3Secret: existing,
    oidcStorageProviderS3SecretKey: key = 'credentials',
  } = flags;
  const prefix = '--oidc-storage-provider-s3';
  const credentials = await content(flags.oidcStorageProviderS3Credentials, `${prefix.slice(2)}-credentials`);
  if (!name && !region && !credentials && !existing) return undefined;
  if (!name || !region || (!credentials && !existing))
    throw new UserError(
      `${prefix}-bucket-name, ${prefix}-region and credentials belong together`,
      `Give all three; credentials as a file (${prefix}-credentials) or as a Secret that exists (${prefix}-secret).`,
      { exitCode: exitCodes.usage },
    );
  return { name, region, secret: { name: existing ?? bucketSecret, key }, ...(credentials ? { credentials } : {}) };
}

function providerImages(text: string): string {
  const known = platforms.map(({ type }) => type.toLowerCase());
  for (const pair of text.split(',')) {
    const [platform = '', image] = pair.split('=', 2);
    if (image && known.includes(platform.toLowerCase())) continue;
    throw new UserError(
      `--provider-images ${pair}: not <platform>=<image>`,
      `There are the platforms ${known.join(', ')}.`,
      { exitCode: exitCodes.usage },
    );
  }
  return text;
}

async function optionsOf(flags: InstallFlags): Promise<InstallOptions> {
  const webhooks = [
    ...(flags.enableDefaultingWebhook ? (['mutating'] as const) : []),
    ...(flags.enableValidatingWebhook ? (['validating'] as const) : []),
  ];
  const pullSecret = await content(flags.pullSecret, 'pull-secret');
  const trustBundle = await content(flags.additionalTrustBundle, 'additional-trust-bundle');
  const oidcBucket = await bucketOf(flags);
  return {
    ...installDefaults,
    namespace: flags.namespace,
    replicas: flags.replicas,
    image: flags.hypershiftImage ?? installDefaults.image,
    featureSet: flags.techPreviewNoUpgrade ? 'TechPreviewNoUpgrade' : 'Default',
    routes: flags.installRoutes === true,
    userRoles: flags.enableAdminRbacGeneration === true,
    webhooks,
    ...(webhooks.length > 0 ? { webhookCertificates: await webhookCertificates(flags.namespace, Date.now()) } : {}),
    ...(flags.limitCrdInstall ? { providers: providersOf(flags.limitCrdInstall) } : {}),
    ...(pullSecret ? { pullSecret } : {}),
    ...(trustBundle ? { trustBundle } : {}),
    ...(flags.registryOverrides ? { registryOverrides: flags.registryOverrides } : {}),
    ...(flags.providerImages ? { providerImages: providerImages(flags.providerImages) } : {}),
    ...(oidcBucket ? { oidcBucket } : {}),
    ...(flags.gcpOidcStorageBucketName ? { gcpOidcBucket: flags.gcpOidcStorageBucketName } : {}),
  };
}

/** `install --render`, `install render`. */
export async function renderInstall(flags: InstallFlags, terminal = terminalOf()): Promise<void> {
  const options = await optionsOf(flags);
  const part = flags.outputs ?? flags.installScope ?? 'all';
  const objects: readonly KubeObject[] = [
    ...(part === 'resources' ? [] : installCrds(options)),
    ...(part === 'crds' ? [] : installResources(options)),
  ].filter(({ kind }) => kind !== 'Secret' || flags.renderSensitive);
  const text =
    flags.format === 'json'
      ? `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2)}\n`
      : yamlDocuments(objects);
  if (flags.outputFile) await writeFile(flags.outputFile, text, { mode: 0o600 });
  else terminal.print(text);
}

/** `install`. */
export async function runInstall(flags: InstallFlags, terminal = terminalOf()): Promise<void> {
  const { green } = terminal.noteColors;
  const scope = flags.installScope ?? 'all';
  if (scope !== 'crds' && !flags.hypershiftImage)
    throw new UserError(
      'no image for the operator is given',
      'Build one from this repository and name it with --hypershift-image, or install the kinds only: --install-scope crds.',
    );
  const options = await optionsOf(flags);
  await withConnection(flags, async ({ client }) => {
    await install(options, { client, scope, note: (text) => terminal.note(`${green('✓')} ${text}`) });
    if (!flags.waitUntilAvailable || scope === 'crds') return;
    await operatorAvailable(client, options.namespace, flags.timeout ?? 0);
    terminal.note(`${green('✓')} the operator runs`);
  });
}

/** `install helm`. */
export async function writeHelmChart(folder: string, terminal = terminalOf()): Promise<void> {
  const files = helmChart(productVersion);
  for (const { path, content: text } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  terminal.note(`${files.length} files in ${folder}`);
}
