/** Something in a kubeconfig that cannot be used, with what to do about it. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
