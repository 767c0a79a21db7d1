/** One Client for every cluster: HTTPS to a real one, in process to an embedded one. */
export * from './back-off.ts';
export * from './client.ts';
export * from './http/cluster-config.ts';
export { HttpClient, type HttpClientOptions } from './http/http-client.ts';
export * from './informer/informer.ts';
export * from './informer/informer-cache.ts';
export * from './informer/object-index.ts';
export * from './informer/reflector.ts';
export {
  type Kubeconfig,
  type KubeconfigDocument,
  kubeconfigFor,
  type KubeconfigOptions,
  type NamedCluster,
  type NamedContext,
  type NamedUser,
} from '@hypershift-ts/kube-apimachinery';
export * from './kubeconfig/in-cluster.ts';
export * from './kubeconfig/kubeconfig-error.ts';
export * from './kubeconfig/load.ts';
export { readSmallFile } from './kubeconfig/small-file.ts';
export * from './kubeconfig/resolve.ts';
export * from './kubeconfig/write.ts';
export * from './discovery/apply-manifests.ts';
export * from './discovery/rest-mapper.ts';
export * from './streams/pod-exec.ts';
export { type LogOptions, streamLogs } from './streams/pod-logs.ts';
