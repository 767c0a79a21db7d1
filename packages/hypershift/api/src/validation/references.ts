/** Objects beside the HostedCluster that it names. */
import { createPrivateKey } from 'node:crypto';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import type { HostedClusterCheck } from './facts.ts';

function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    return false;
  }
}

export const validateSigningKey: HostedClusterCheck = ({ spec }, { secrets }) => {
  const name = spec.serviceAccountSigningKey?.name;
  if (!name || !secrets) return [];
  const field = 'spec.serviceAccountSigningKey';
  const secret = secrets.get(name);
  if (!secret) return [fieldError.notFound(field, name)];
  const key = secret['key'];
  if (key === undefined) return [fieldError.invalid(field, name, 'Secret must have the key "key"')];
  return isPrivateKey(key) ? [] : [fieldError.invalid(field, name, 'key "key" must hold a PEM encoded private key')];
};

/** CA bundles live in ConfigMaps under one well known key. */
export const validateTrustBundles: HostedClusterCheck = ({ spec }, { configMaps }) => {
  if (!configMaps) return [];
  const named = [
    ['spec.additionalTrustBundle', spec.additionalTrustBundle?.name],
    ['spec.configuration.proxy.trustedCA', spec.configuration?.proxy?.trustedCA?.name],
  ] as const;
  return named.flatMap(([field, name]) => {
    if (!name) return [];
    const found = configMaps.get(name);
    if (!found) return [fieldError.notFound(field, name)];
    return 'ca-bundle.crt' in found
      ? []
      : [fieldError.invalid(field, name, 'ConfigMap must have the key "ca-bundle.crt"')];
  });
};

export const validatePullSecret: HostedClusterCheck = ({ spec }, { secrets }) => {
  const name = spec.pullSecret?.name;
  if (!name) return [fieldError.required('spec.pullSecret.name')];
  const secret = secrets?.get(name);
  return secret && !('.dockerconfigjson' in secret)
    ? [fieldError.invalid('spec.pullSecret', name, 'Secret must have the key ".dockerconfigjson"')]
    : [];
};
