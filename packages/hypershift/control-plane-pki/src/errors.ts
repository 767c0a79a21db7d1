import type { Retry } from '@hypershift-ts/kube-controller';

/** A Secret that the control plane needs holds something that cannot be used, and replacing it is not ours to decide. */
export class PkiSecretUnusable extends Error {
  override readonly name = 'PkiSecretUnusable';
  readonly code = 'PKI_SECRET_UNUSABLE';
  readonly retry: Retry = 'after-user-change';
  readonly secret: string;

  constructor(namespace: string, secret: string, what: string, cause: string, fix: string) {
    super(`Secret ${namespace}/${secret} holds no usable ${what}: ${cause}; ${fix}`);
    this.secret = secret;
  }
}
