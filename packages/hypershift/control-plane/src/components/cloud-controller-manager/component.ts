import { platformFor, platforms, type Platform } from '@hypershift-ts/hypershift-platforms';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { type Component, component } from '../../framework/component.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { configMap, identity, type Manifest, secret } from '../../framework/manifest.ts';
import { type ContainerDeclaration, secretVolume, type VolumeDeclaration } from '../../framework/pod.ts';
import { tlsFlags } from '../../framework/tls.ts';
import { cloudTokenFor } from '../cloud-tokens.ts';
import { cloudDetails } from './details.ts';

type Manager = NonNullable<Platform['cloudControllerManager']>;

const kubeconfig = '/etc/kubernetes/kubeconfig/kubeconfig';

/** One cloud controller manager per platform that has one; a platform is added in its own room, not here. */
export const cloudControllerManagers: readonly Component[] = platforms.flatMap((platform) =>
  platform.cloudControllerManager ? [cloudControllerManager(platform, platform.cloudControllerManager)] : [],
);

function cloudControllerManager(platform: Platform, manager: Manager): Component {
  const { replicas, rules } = cloudDetails(manager.cloudProvider);
  const managementKasAccess = rules !== undefined;
  const { tokenServiceAccount } = manager;
  return component(manager.component, {
    selector: { app: 'cloud-controller-manager' },
    zones: true,
    ...(replicas === undefined ? {} : { replicas }),
    ...(replicas === 1 ? { strategy: 'Recreate' as const } : {}),
    ...(managementKasAccess ? { managementKasAccess } : {}),
    enabled: ({ hcp }) => platformFor(hcp.spec.platform.type) === platform,
    ...(tokenServiceAccount
      ? { inject: { tokenMinters: cloudTokenFor('cloud-controller-manager', tokenServiceAccount, 'kubeconfig') } }
      : {}),
    pod: (context) => ({
      ...(managementKasAccess ? { serviceAccount: manager.component } : {}),
      containers: [container(manager, context)],
      volumes: {
        kubeconfig: secretVolume('service-network-admin-kubeconfig'),
        ...configVolume(platform, context),
        ...(manager.credentials ? { 'cloud-creds': secretVolume(manager.credentials(context.hcp)) } : {}),
      },
    }),
    manifests: [
      configManifest(platform, 'ConfigMap'),
      configManifest(platform, 'Secret'),
      ...(rules ? identity(manager.component, rules) : []),
    ],
  });
}

function container(manager: Manager, context: ControlPlaneContext): ContainerDeclaration {
  const details = cloudDetails(manager.cloudProvider);
  return {
    name: 'cloud-controller-manager',
    image: manager.image,
    command: [details.command],
    args: [
      `--cloud-provider=${manager.cloudProvider}`,
      `--cloud-config=/etc/cloud/${details.configKey}`,
      `--kubeconfig=${kubeconfig}`,
      ...details.flags(context),
      ...tlsFlags(context),
    ],
    cpu: details.cpu,
    memory: details.memory,
    ...(details.env ? { env: details.env } : {}),
    mounts: {
      'cloud-config': '/etc/cloud',
      kubeconfig: '/etc/kubernetes/kubeconfig',
      ...(manager.credentials ? { 'cloud-creds': details.credentialsPath } : {}),
    },
  };
}

/** Settings as the platform writes them; credentials that go into them are read from the namespace. */
function configOf(platform: Platform, { hcp, lookup }: ControlPlaneContext) {
  const secrets = new Map(lookup.list(corev1.secrets).map((one) => [one.metadata.name ?? '', one]));
  return platform.cloudProviderConfig(hcp, secrets)[0];
}

function configVolume(platform: Platform, context: ControlPlaneContext): Readonly<Record<string, VolumeDeclaration>> {
  const config = configOf(platform, context);
  if (!config) return {};
  return { 'cloud-config': config.kind === 'Secret' ? { secret: config.name } : { configMap: config.name } };
}

function configManifest(platform: Platform, kind: 'ConfigMap' | 'Secret'): Manifest {
  // Only the platform itself can say what its object is called; clusters elsewhere never had one.
  const isOurs = ({ hcp }: ControlPlaneContext) => platformFor(hcp.spec.platform.type) === platform;
  const name = (context: ControlPlaneContext): string =>
    (isOurs(context) ? configOf(platform, context)?.name : undefined) ??
    `${platform.cloudControllerManager?.component}-config`;
  const data = (context: ControlPlaneContext) => configOf(platform, context)?.data ?? {};
  const manifest = kind === 'ConfigMap' ? configMap(name, data) : secret(name, data);
  return {
    ...manifest,
    when: (context) => isOurs(context) && configOf(platform, context)?.kind === kind,
  };
}
