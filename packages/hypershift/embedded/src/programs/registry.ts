import type { ReleaseProvider } from '@hypershift-ts/hypershift-release';
import { type BuiltinProgram, BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import type { KeySource } from '@hypershift-ts/kube-pki';
import {
  bySubcommand,
  type ProcessDirectory,
  registerControlPlanePrograms,
  serviceAccountClient,
} from '@hypershift-ts/kube-programs';
import type { Resolve, SimulatedCloud } from '@hypershift-ts/machines-providers';
import { syncFeatureGates } from '../bootstrap/feature-gates.ts';
import { kasBootstrap } from '../bootstrap/kas-bootstrap.ts';
import { connectionCheckerProgram } from '../machine-programs/connection-checker.ts';
import { haproxy } from '../router/haproxy.ts';
import { reachableChecks } from '../router/reachable-checks.ts';
import { capiProviderProgram } from './capi-provider.ts';
import { clusterApiProgram } from './cluster-api.ts';
import { clusterAutoscalerProgram } from './cluster-autoscaler.ts';
import { clusterVersionOperatorProgram } from './cluster-version-operator.ts';
import { configOperatorProgram } from './config-operator.ts';
import { controlPlaneOperatorProgram } from './control-plane-operator.ts';
import { hypershiftOperatorProgram } from './hypershift-operator.ts';
import { ignitionServerProgram } from './ignition-server.ts';
import { type KonnectivityPrograms, konnectivityPrograms } from './konnectivity.ts';
import { machineApproverProgram } from './machine-approver.ts';
import { pkiOperatorProgram } from './pki-operator.ts';

export interface ProductProgramsOptions {
  readonly directory: ProcessDirectory;
  readonly releases: ReleaseProvider;
  /** Shared with the machines of this process; default: for this registry alone. */
  readonly konnectivity?: KonnectivityPrograms;
  /** Keys for the certificates of control planes. */
  readonly keys: KeySource;
  /** Where host names lead that nobody's DNS knows. */
  readonly resolve: Resolve;
  /** Where the machines of all infrastructure providers run; asked for when one of them starts. */
  readonly cloud: () => SimulatedCloud;
  /** Whether control planes call simulated clouds about their nodes; otherwise they call none. */
  readonly callsClouds?: boolean;
  /** Programs some other runtime of the node runs, such as a real `etcd`. */
  readonly without?: readonly string[];
}

/** Everything of HyperShift and of hosted control planes that a node of this process runs itself. */
export function productPrograms(options: ProductProgramsOptions): BuiltinRegistry {
  const { directory, releases, keys, cloud, callsClouds, without = [] } = options;
  const { proxyServer, proxyAgent } = options.konnectivity ?? konnectivityPrograms();
  const checks = reachableChecks(options.resolve);
  const registry = new BuiltinRegistry();
  const operator = hypershiftOperatorProgram(directory, releases, callsClouds);
  const commands: Readonly<Record<string, BuiltinProgram>> = {
    'hypershift-operator': bySubcommand({ run: operator }),
    hypershift: bySubcommand({ operator }),
    'control-plane-pki-operator': bySubcommand({ operator: pkiOperatorProgram(directory) }),
    'cluster-version-operator': bySubcommand({ start: clusterVersionOperatorProgram(directory, releases) }),
    'cluster-autoscaler': clusterAutoscalerProgram(directory),
    'machine-approver': machineApproverProgram(directory),
    'proxy-server': proxyServer,
    'proxy-agent': proxyAgent,
    haproxy,
  };
  for (const [name, run] of Object.entries(commands)) registry.register({ name, commands: [name], run });
  // Images that leave the command to themselves, or call theirs just "manager".
  const images: Readonly<Record<string, readonly [readonly string[], BuiltinProgram]>> = {
    'cluster-api': [['cluster-capi-controllers'], clusterApiProgram(directory)],
    'capi-provider': [['*-cluster-api-controllers', 'cluster-api-provider-*'], capiProviderProgram(directory, cloud)],
  };
  for (const [name, [patterns, run]] of Object.entries(images)) registry.register({ name, images: patterns, run });
  return registerControlPlanePrograms(registry, {
    directory,
    without,
    subcommands: {
      run: controlPlaneOperatorProgram({ directory, releases, keys, checks, callsClouds }),
      'hosted-cluster-config-operator': configOperatorProgram(directory, releases),
      'ignition-server': ignitionServerProgram(directory, releases),
      'kas-bootstrap': kasBootstrap(directory),
      'kas-connection-checker': connectionCheckerProgram((context) =>
        serviceAccountClient(context, directory, 'kas-connection-checker'),
      ),
      'sync-fg-configmap': syncFeatureGates(directory),
    },
  });
}
