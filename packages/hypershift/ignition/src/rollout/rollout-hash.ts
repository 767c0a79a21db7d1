import { hashSimple } from '../hash/hash-simple.ts';

/** Everything that makes a pool replace its nodes. */
export interface RolloutInputs {
  readonly rawConfig: string;
  readonly releaseVersion: string;
  readonly pullSecretName: string;
  /** Empty when unset. */
  readonly additionalTrustBundleName: string;
  readonly globalConfig: string;
  /** As hashedStream() gives it. */
  readonly rhelStream: string;
}

/** The name of a rollout: in the names of token and user-data Secrets, and in `nodePoolCurrentConfigVersion`. */
export function rolloutHash(inputs: RolloutInputs): string {
  const { rawConfig, releaseVersion, pullSecretName, additionalTrustBundleName, globalConfig, rhelStream } = inputs;
  return hashSimple(
    rawConfig + releaseVersion + pullSecretName + additionalTrustBundleName + globalConfig + rhelStream,
  );
}

/**
 * The rollout without its release, for `nodePoolCurrentConfig`: tells a config rollout from an upgrade. Upstream leaves
 * the global config out of it, so a change of proxy alone is no "config" here; changedInputs() names it.
 */
export function configHash(inputs: Omit<RolloutInputs, 'releaseVersion' | 'globalConfig'>): string {
  return hashSimple(inputs.rawConfig + inputs.pullSecretName + inputs.additionalTrustBundleName + inputs.rhelStream);
}
