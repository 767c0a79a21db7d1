/** IP addresses and blocks of them, as strictly as Kubernetes takes them. */
export * from './address-scope.ts';
export * from './cidr.ts';
export * from './ip.ts';
export * from './validation.ts';
