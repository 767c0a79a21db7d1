import { managementCrds, openshift, webhookConfigurations } from '@hypershift-ts/hypershift-api';
import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { infrastructureProviders, providerCrds } from '@hypershift-ts/machines-providers';
import { UserError } from '../cli-error.ts';
import { operatorAccess, operatorName, userAccess } from './access.ts';
import {
  operatorDeployment,
  operatorService,
  pullSecretName,
  servingCertificateName,
  trustBundleName,
} from './deployment.ts';
import type { InstallOptions, OidcBucket } from './options.ts';
import { priorityClasses } from './priority-classes.ts';

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

const secret = (namespace: string, name: string, type: string, data: { readonly [key: string]: string }) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  type,
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
});

const configMap = (namespace: string, name: string, data: { readonly [key: string]: string }) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

/** Every kind a management cluster must know: HyperShift's, Cluster API's and those of the providers. */
export function installCrds(options: InstallOptions): readonly KubeObject[] {
  const { featureSet, providers = infrastructureProviders } = options;
  const routes = openshift.openshiftCrds().filter(({ spec }) => spec.group === 'route.openshift.io');
  return [
    ...managementCrds(featureSet),
    // Only what is stored is served: with two versions, fields would be lost without somebody who converts them.
    ...clusterApiCrds({ storageVersion: 'v1beta1', served: ['v1beta1'] }),
    ...providers.flatMap((provider) => providerCrds(provider)),
    ...(options.routes ? routes : []),
  ] as unknown as readonly KubeObject[];
}

function webhookObjects({ namespace, webhooks, webhookCertificates }: InstallOptions): readonly KubeObject[] {
  if (webhooks.length === 0) return [];
  if (!webhookCertificates) throw new UserError('webhooks need certificates');
  const { authorityPem, certificatePem, keyPem } = webhookCertificates;
  const caBundle = base64(authorityPem);
  const configurations = webhookConfigurations({ namespace, name: operatorName, port: 443, caBundle });
  return [
    secret(namespace, servingCertificateName, 'kubernetes.io/tls', { 'tls.crt': certificatePem, 'tls.key': keyPem }),
    ...webhooks.map((type) => configurations[type] as unknown as KubeObject),
  ];
}

/** Credentials for the bucket, and where clients find which one it is. */
function bucketObjects(
  namespace: string,
  { name, region, secret: at, credentials }: OidcBucket,
): readonly KubeObject[] {
  return [
    ...(credentials ? [secret(namespace, at.name, 'Opaque', { [at.key]: credentials })] : []),
    configMap('kube-public', 'oidc-storage-provider-s3-config', { name, region }),
  ];
}

/** Everything but kinds, in the order in which it is applied. */
export function installResources(options: InstallOptions): readonly KubeObject[] {
  const { namespace, pullSecret, trustBundle, featureSet } = options;
  return [
    ...priorityClasses(),
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'hypershift.openshift.io/component': 'operator' } },
    },
    ...operatorAccess(options),
    ...(options.userRoles ? userAccess() : []),
    ...(pullSecret
      ? [secret(namespace, pullSecretName, 'kubernetes.io/dockerconfigjson', { '.dockerconfigjson': pullSecret })]
      : []),
    ...(trustBundle ? [configMap(namespace, trustBundleName, { 'ca-bundle.crt': trustBundle })] : []),
    ...(options.oidcBucket ? bucketObjects(namespace, options.oidcBucket) : []),
    ...(featureSet === 'Default' ? [] : [configMap(namespace, 'feature-gate', { [featureSet]: 'true' })]),
    operatorService(options),
    operatorDeployment(options),
    // Last: from here on the API server asks whoever stands behind the Service.
    ...webhookObjects(options),
  ];
}
