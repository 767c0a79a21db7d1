/** Platforms: one folder each with everything that depends on where nodes live. */
export { isPrivateOnAws, isRosa } from './aws/index.ts';
export type * from './cloud-account.ts';
export * from './errors.ts';
export type * from './guest.ts';
export * from './machines.ts';
export type * from './platform.ts';
export * from './registry.ts';
export { simulatedCloudAccount } from './simulated-cloud-account.ts';
export { tlsArgs } from './shared/tls-profile.ts';
