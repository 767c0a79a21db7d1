import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { FrontProxyOptions } from './front-proxy.ts';

/**
 * The ConfigMap kube-system/extension-apiserver-authentication, by which extension API servers learn whom the main one
 * trusts. Lists are JSON texts, as its readers expect.
 */
export function trustConfigMap(trust: {
  readonly clientCa?: string;
  readonly frontProxy?: FrontProxyOptions;
}): KubeObject & { readonly data: Readonly<Record<string, string>> } {
  const { clientCa, frontProxy } = trust;
  const list = (values: readonly string[] | undefined, standard: string) => JSON.stringify(values ?? [standard]);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
    data: {
      ...(clientCa ? { 'client-ca-file': clientCa } : {}),
      ...(frontProxy
        ? {
            'requestheader-client-ca-file': frontProxy.bundlePem,
            'requestheader-allowed-names': JSON.stringify(frontProxy.allowedNames),
            'requestheader-username-headers': list(frontProxy.usernameHeaders, 'X-Remote-User'),
            'requestheader-group-headers': list(frontProxy.groupHeaders, 'X-Remote-Group'),
            'requestheader-uid-headers': list(frontProxy.uidHeaders, 'X-Remote-Uid'),
            'requestheader-extra-headers-prefix': list(frontProxy.extraHeaderPrefixes, 'X-Remote-Extra-'),
          }
        : {}),
    },
  };
}
